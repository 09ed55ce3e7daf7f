// Encryption of a backup: a passphrase, typed or from a file, or a key of age.
import { readFile } from 'node:fs/promises'
import { fillTemplate } from '../../core/errors.ts'
import type { CommandEnvironment } from '../command.ts'
import { GatewayRefusal, UsageError } from '../failure.ts'
import { asUntranslatedText } from '../language.ts'
import { words } from '../texts.ts'

export const passphraseFlagOptions = {
  passphrase: {
    flag: '--passphrase',
    help: words('encrypted with a passphrase, which is prompted for'),
  },
  passphraseFile: {
    flag: '--passphrase-file <file>',
    help: words('the passphrase is the first line of this file (- for standard input)'),
  },
} as const

interface PassphraseFlags {
  passphrase: boolean | undefined
  passphraseFile: string | undefined
}

const MIN_LENGTH = 12
const FIELD = words('Passphrase')
const AGAIN = words('Once more')

/** Returns the given passphrase, or undefined; a new one is asked for twice. @throws UsageError if it is too short */
export async function readPassphrase(
  { ask, readInput }: Pick<CommandEnvironment, 'ask' | 'readInput'>,
  { passphrase, passphraseFile }: PassphraseFlags,
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
export async function readAgeIdentity(file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return undefined
  const found = /^AGE-SECRET-KEY-1\w+$/m.exec(await readContent(file))?.[0]
  if (found === undefined) throw new UsageError(fillTemplate(NO_IDENTITY, { file: asUntranslatedText(file) }))
  return found
}

const readContent = (file: string): Promise<string> =>
  readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new GatewayRefusal(
      fillTemplate(UNREADABLE, {
        file: asUntranslatedText(file),
        why: asUntranslatedText(error.code ?? error.message),
      }),
      'file.unreadable',
    )
  })

const SHORT = fillTemplate(words('The passphrase must have at least {minLength} characters.'), {
  minLength: MIN_LENGTH,
})
const DIFFERENT = words('They differ.')
const NO_IDENTITY = words('{file} contains no secret key of age.')
const UNREADABLE = words('{file} cannot be read ({why}).')
