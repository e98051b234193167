// node build.mjs MODULES OUT
// Bundles the page into one HTML file, OUT, compressed by gzip. MODULES is the folder that has
// node_modules. The same sources give the same bytes.
import {readFileSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {dirname, join, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';
import {gzipSync} from 'node:zlib';

const [modules, out] = process.argv.slice(2);
const here = dirname(fileURLToPath(import.meta.url));
const {build} = createRequire(resolve(modules, 'package.json'))('esbuild');

const options = {
  bundle: true,
  write: false,
  minify: true,
  charset: 'utf8',
  legalComments: 'inline',
  nodePaths: [resolve(modules, 'node_modules')],
  target: ['chrome100', 'firefox113', 'safari16.4'],
};

const bundled = async (file, more) =>
  (await build({...options, ...more, entryPoints: [join(here, file)]})).outputFiles[0].text;

const script = await bundled('src/main.js', {format: 'iife'});
const style = await bundled('src/style.css', {});
const page = readFileSync(join(here, 'index.html'), 'utf8')
  .replace('/* style */', () => style)
  .replace('/* script */', () => script);
writeFileSync(out, gzipSync(page, {level: 9}));
