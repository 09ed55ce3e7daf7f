// Secrets in files: each variable that holds one may name a file instead.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { readSecretVariable, readConfig } from '../../../core/adapters/read-config.ts'
import { ConfigError, configOptions, toFileVariable, SECRET_VARIABLE_NAMES } from '../../../core/config.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'weir-secrets-'))
  return () => rm(folder, { recursive: true })
})
const fileWith = async (text: string) => {
  const file = join(folder, `${text.length}`)
  await writeFile(file, text)
  return file
}
const saidBy = (act: () => unknown): string => {
  try {
    act()
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError)
    return (error as ConfigError).words.en
  }
  throw new Error('Nothing was refused.')
}

describe.each(SECRET_VARIABLE_NAMES)('%s', (variable) => {
  const inFile = toFileVariable(variable)

  it('may stand in a file, whose newline at the end does not count', async () => {
    for (const end of ['', '\n', '\r\n'])
      expect(readSecretVariable({ [inFile]: await fileWith(`postgres://a b\tc${end}`) }, variable)).toBe(
        'postgres://a b\tc',
      )
    expect(readSecretVariable({ [variable]: 'plain', [inFile]: '' }, variable)).toBe('plain')
    expect(readSecretVariable({ [variable]: '' }, variable)).toBeUndefined()
  })

  it('is refused where both are given, or the file cannot be read or says nothing, without telling what is in it', async () => {
    const file = await fileWith('sixteen and more')
    const both = saidBy(() => readSecretVariable({ [variable]: 'hidden', [inFile]: file }, variable))
    expect(both).toBe(`${variable}, ${inFile} are both given: leave one out.`)
    expect(saidBy(() => readConfig({}, { [inFile]: join(folder, 'none') }, false))).toBe(
      `${inFile} names ${join(folder, 'none')}, which cannot be read (ENOENT).`,
    )
    expect(saidBy(() => readConfig({}, { [inFile]: folder }, false))).toContain('cannot be read (EISDIR)')
    const empty = await fileWith('\n')
    expect(saidBy(() => readConfig({}, { [inFile]: empty }, false))).toBe(`${inFile} names ${empty}, which is empty.`)
  })
})

it('what stands in files is the configuration, and is checked like it', async () => {
  const [database, secret] = [await fileWith('postgres://weir@db/weir\n'), await fileWith('a secret of 16 or more\n')]
  const env = { DATABASE_URL_FILE: database, WEIR_SECRET_FILE: secret }
  expect(readConfig({}, env, false)).toMatchObject({
    database: 'postgres://weir@db/weir',
    secret: 'a secret of 16 or more',
  })
  expect(readConfig({ database: 'postgres://other' }, env, false)).toMatchObject({ database: 'postgres://other' })
  const short = await fileWith('short')
  expect(saidBy(() => readConfig({}, { WEIR_SECRET_FILE: short }, false))).toContain('WEIR_SECRET')
})

it('every variable whose value nobody else may know is one of them', () => {
  const declared = Object.values(configOptions).map(({ env }) => env)
  const secretive = declared.filter((env) => /SECRET|TOKEN|KEY|PASS|DATABASE_URL/.test(env))
  expect(SECRET_VARIABLE_NAMES).toEqual(expect.arrayContaining(secretive))
})
