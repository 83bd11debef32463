// Bundles the tests (or `bench`) into out/ and runs them.
import { build } from 'esbuild';
import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const isBench = process.argv[2] === 'bench';
const needsBrowser = (name) => ['page.test.ts', 'compare.test.ts'].includes(name);
const files = readdirSync(`${here}test`)
  .filter((name) => name.endsWith(isBench ? 'bench.ts' : '.test.ts'))
  .filter((name) => !process.env.NO_BROWSER || !needsBrowser(name));
rmSync(`${here}out`, { recursive: true, force: true });
await build({
  absWorkingDir: here,
  entryPoints: files.map((name) => `test/${name}`),
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  packages: 'external',
  outdir: 'out',
  outExtension: { '.js': '.mjs' },
});
const compiled = files.map((name) => `out/${name.replace(/\.ts$/, '.mjs')}`);
const args = isBench ? compiled : ['--test', '--test-concurrency=1', ...compiled];
process.exit(spawnSync(process.execPath, args, { cwd: here, stdio: 'inherit' }).status ?? 1);
