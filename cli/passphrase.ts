// Encryption of a backup: a passphrase, typed or from a file, or a key of age.
import { readFile } from 'node:fs/promises'
import { fillTemplate, words } from '../core/errors.ts'
import type { CommandEnvironment } from './command.ts'
import { Refusal, UsageError } from './failure.ts'
import { asData } from './language.ts'

export const passphraseOptions = {
  passphrase: {
    flag: '--passphrase',
    help: words('encrypted by a passphrase, which is asked for', '以密码短语加密（会询问）'),
  },
  passphraseFile: {
    flag: '--passphrase-file <file>',
    help: words(
      'the passphrase is the first line of this file (- for standard input)',
      '密码短语为此文件的第一行（- 表示标准输入）',
    ),
  },
} as const

interface Given {
  passphrase: boolean | undefined
  passphraseFile: string | undefined
}

const MIN_LENGTH = 12
const FIELD = words('Passphrase', '密码短语')
const AGAIN = words('Once more', '再次输入')

/** Returns the given passphrase, or undefined; a new one is asked for twice. @throws UsageError if it is too short */
export async function readPassphrase(
  { ask, readInput }: Pick<CommandEnvironment, 'ask' | 'readInput'>,
  { passphrase, passphraseFile }: Given,
  { isNew }: { isNew: boolean },
): Promise<string | undefined> {
  if (passphraseFile !== undefined) {
    const text = passphraseFile === '-' ? await readInput() : await readContent(passphraseFile)
    const [line = ''] = text.split(/\r?\n/, 1)
    if (isNew && line.length < MIN_LENGTH) throw new UsageError(SHORT)
    return line
  }
  if (!passphrase) return undefined
  const questions = [
    {
      name: 'phrase',
      label: FIELD,
      kind: 'secret' as const,
      check: (value: string) => (isNew && value.length < MIN_LENGTH ? SHORT : undefined),
    },
    {
      name: 'again',
      label: AGAIN,
      kind: 'secret' as const,
      when: () => isNew,
      check: (value: string, answers: Record<string, string>) => (value === answers.phrase ? undefined : DIFFERENT),
    },
  ]
  return (await ask.form(undefined, questions, '--passphrase-file')).phrase
}

/** Reads a secret key of age from an age identity file. */
export async function identityOf(file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return undefined
  const found = /^AGE-SECRET-KEY-1\w+$/m.exec(await readContent(file))?.[0]
  if (found === undefined) throw new UsageError(fillTemplate(NO_IDENTITY, { file: asData(file) }))
  return found
}

const readContent = (file: string): Promise<string> =>
  readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Refusal(
      fillTemplate(UNREADABLE, { file: asData(file), why: asData(error.code ?? error.message) }),
      'file.unreadable',
    )
  })

const SHORT = words(
  `The passphrase must have at least ${MIN_LENGTH} characters.`,
  `密码短语至少需要 ${MIN_LENGTH} 个字符。`,
)
const DIFFERENT = words('They differ.', '两次输入不一致。')
const NO_IDENTITY = words('{file} contains no secret key of age.', '{file} 中没有 age 的私钥。')
const UNREADABLE = words('{file} cannot be read ({why}).', '无法读取 {file}（{why}）。')
