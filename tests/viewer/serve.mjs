// Starts and stops the program for the tests of the page.
import {spawn} from 'node:child_process';
import {request} from 'node:http';
import {join} from 'node:path';

function ended(child) {
  return new Promise((resolve) => child.once('exit', (code, signal) => resolve(code ?? signal)));
}

// kill: ends it as soon as it has written some frames, so that the run is not finished.
export async function tactRun(tact, words, {kill = false} = {}) {
  const child = spawn(tact, ['run', ...words, '--threads', '1', '--quiet'], {stdio: 'ignore'});
  const end = ended(child);
  if (kill) setTimeout(() => child.kill('SIGTERM'), 1500);
  const code = await end;
  if (code !== 0 && !kill) throw new Error(`tact run ${words.join(' ')} ended with ${code}`);
}

export async function exportHtml(tact, run, folder) {
  const child = spawn(tact, ['export', run, '--format', 'html', '--out', folder, '--quiet'], {stdio: 'ignore'});
  const code = await ended(child);
  if (code !== 0) throw new Error(`tact export ended with ${code}`);
  return join(folder, 'recording.html');
}

// shown: a run or a scene, with options. Resolves once the address is printed.
export function startView(tact, shown, {port = 0, token} = {}) {
  const words = ['view', ...shown, '--json', '--threads', '1', '--port', String(port)];
  const env = token ? {...process.env, TACT_VIEW_TOKEN: token} : process.env;
  const child = spawn(tact, words, {stdio: ['ignore', 'pipe', 'inherit'], env});
  const end = ended(child);
  return new Promise((resolve, reject) => {
    child.stdout.once('data', (line) => {
      const {address, port: own} = JSON.parse(line);
      resolve({
        address, port: own, shown, token: new URL(address).searchParams.get('token'),
        stop: () => {
          child.kill('SIGTERM');
          return end;
        },
      });
    });
    end.then((code) => reject(new Error(`tact view ended with ${code}`)));
  });
}

// The status that a request gets; 101 where a socket is opened, 403 where it is closed without a word,
// as a socket is that closes before its answer was read.
function status(port, path, headers) {
  return new Promise((resolve) => {
    const call = request({host: '127.0.0.1', port, path, headers});
    call.on('response', (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    call.on('upgrade', (response, socket) => {
      socket.destroy();
      resolve(response.statusCode);
    });
    call.on('error', () => resolve(403));
    call.end();
  });
}

export async function refusals({port, token}) {
  const own = `http://127.0.0.1:${port}`;
  const upgrade = {Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==', 'Sec-WebSocket-Protocol': 'tact'};
  const good = `/?token=${token}`;
  const expected = [
    [200, good, {}],
    [403, '/', {}],
    [403, `/?token=${'0'.repeat(token.length)}`, {}],
    [403, good, {Host: `evil.example:${port}`}],
    [404, '/etc/passwd', {}],
    [101, good, {...upgrade, Origin: own}],
    [403, good, {...upgrade, Origin: 'http://evil.example'}],
    [403, good, {...upgrade, Origin: `http://127.0.0.1:${port}.evil.example`}],
    [403, good, upgrade],
    [403, '/', {...upgrade, Origin: own}],
  ];
  for (const [code, path, headers] of expected) {
    const found = await status(port, path, headers);
    if (found !== code)
      throw new Error(`${path} with ${JSON.stringify(headers)}: found ${found}, expected ${code}`);
  }
}
