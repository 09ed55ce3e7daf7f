// Reads the process's environment and the files that its variables name, so that mounted secrets need no variable.
import { readFileSync } from 'node:fs'
import type { Config, ConfigFlags } from '../config.ts'
import { ConfigError, buildConfig, toFileVariable, SECRET_VARIABLE_NAMES } from '../config.ts'
import { fillTemplate, words, type Parameters, type Words } from '../errors.ts'

type Variables = Record<string, string | undefined>

/**
 * Flags take precedence over variables, and variables over defaults; `DATABASE_URL_FILE` names a file with the value of
 * `DATABASE_URL`.
 * @throws ConfigError that names the flag, the variable or the file
 */
export function readConfig(flags: ConfigFlags, env: Variables, terminal: boolean): Config {
  return buildConfig(flags, addSecretsFromFiles(env), terminal)
}

/** Adds the values from files. @throws ConfigError as `readSecretVariable` does */
export const addSecretsFromFiles = (env: Variables): Variables => ({
  ...env,
  ...Object.fromEntries(SECRET_VARIABLE_NAMES.map((name) => [name, readSecretVariable(env, name)])),
})

/**
 * Returns the value of a variable, or the content of the file in `<variable>_FILE` without its trailing newline.
 * @throws ConfigError if both are given, or the file is unreadable or empty
 */
export function readSecretVariable(env: Variables, variable: string): string | undefined {
  const [given, inFile] = [env[variable] || undefined, toFileVariable(variable)]
  const file = env[inFile] || undefined
  if (file === undefined) return given
  if (given !== undefined)
    throw refusal(words('{variables} are both given: leave one out.'), { variables: `${variable}, ${inFile}` })
  let text
  try {
    text = readFileSync(file, 'utf8').replace(/[\r\n]+$/, '')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw refusal(words('{variable} names {file}, which cannot be read ({code}).'), {
      variable: inFile,
      file,
      code: code ?? '',
    })
  }
  if (text === '') throw refusal(words('{variable} names {file}, which is empty.'), { variable: inFile, file })
  return text
}

const refusal = (text: Words, parameters: Parameters) => new ConfigError(fillTemplate(text, parameters))
