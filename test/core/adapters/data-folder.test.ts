// A data folder that cannot be used: one sentence, immediately, for every cause.
import { chmod, mkdir, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { prepareDataFolder } from '../../../core/adapters/secret-files.ts'
import { openGateway } from '../../../core/adapters/node.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'weir-folder-'))
  await writeFile(join(folder, 'file'), '')
  await symlink(join(folder, 'nowhere', 'x'), join(folder, 'dangling'))
  await symlink(join(folder, 'loop'), join(folder, 'loop'))
  await mkdir(join(folder, 'closed'))
  await chmod(join(folder, 'closed'), 0o500)
})
afterAll(async () => {
  await chmod(join(folder, 'closed'), 0o700)
  await rm(folder, { recursive: true })
})

// The super user may write in every folder, and only Linux has one that nobody can.
const cases: [string, RegExp][] = [
  ['file', /a file is in the way/],
  ['file/below', /a file is in the way/],
  ['dangling', /a link to nowhere is in the way/],
  ['loop', /a link that points to itself/],
  ['x'.repeat(300), /its name is too long/],
  ['with\0nul', /there is a NUL in its name/],
  ...(process.platform === 'linux' ? ([['/proc/nothing/x', /its parent takes no folders/]] as [string, RegExp][]) : []),
  ...(process.getuid?.() === 0
    ? []
    : (['closed', 'closed/below'].map((name) => [name, /may not write there/]) as [string, RegExp][])),
]

it.each(cases)('%j says what is in the way', async (name, reason) => {
  const data = name.startsWith('/') ? name : join(folder, name)
  await expect(prepareDataFolder(data)).rejects.toThrow(reason)
  const config = { host: '127.0.0.1', port: 0, data, log_level: 'silent', log_format: 'json' } as const
  for (const secret of [undefined, 'a secret for tests']) {
    const opened = openGateway({ ...config, ...(secret ? { secret } : {}) })
    await expect(opened).rejects.toThrow(/^The data folder [^\0]* cannot be used: .*\. Name another one with --data/)
  }
})

it('makes what is missing above it, for its user alone', async () => {
  await prepareDataFolder(join(folder, 'a', 'b', 'c'))
  await prepareDataFolder(join(folder, 'a', 'b', 'c'))
  expect((await stat(join(folder, 'a', 'b', 'c'))).mode & 0o777).toBe(0o700)
})
