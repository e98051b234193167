// node validate_gltf.mjs FOLDER FILE
// Prints the report of the glTF validator in FOLDER on a GLB file; fails when it finds errors or
// warnings.
import {readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {resolve} from 'node:path';

const [folder, file] = process.argv.slice(2);
const validator = createRequire(resolve(folder, 'package.json'))('gltf-validator');
const report = await validator.validateBytes(new Uint8Array(readFileSync(file)));
console.log(JSON.stringify({issues: report.issues, info: report.info}, null, 1));
process.exit(report.issues.numErrors + report.issues.numWarnings > 0 ? 1 : 0);
