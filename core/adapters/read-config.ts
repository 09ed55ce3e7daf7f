// The process's environment with the files that its variables name: whoever mounts secrets as files puts none into a variable.
import { readFileSync } from 'node:fs'
import { ConfigError, configOf, fileVariable, secretVariables, type Config, type ConfigFlags } from '../config.ts'
import { words } from '../errors.ts'

type Environment = Record<string, string | undefined>

/**
 * Flags win over variables, variables over defaults; `DATABASE_URL_FILE` names a file with what `DATABASE_URL` would say.
 * @throws ConfigError naming the flag, the variable or the file
 */
export function readConfig(flags: ConfigFlags, env: Environment, terminal: boolean): Config {
  return configOf(flags, withSecrets(env), terminal)
}

/** With what stands in files. @throws ConfigError as `givenSecret` does */
export const withSecrets = (env: Environment): Environment => ({
  ...env,
  ...Object.fromEntries(secretVariables.map((name) => [name, givenSecret(env, name)])),
})

/**
 * What a variable says, or the file that `<variable>_FILE` names, without the newline at its end.
 * @throws ConfigError where both are given, or the file cannot be read or says nothing
 */
export function givenSecret(env: Environment, variable: string): string | undefined {
  const [given, inFile] = [env[variable] || undefined, fileVariable(variable)]
  const file = env[inFile] || undefined
  if (file === undefined) return given
  if (given !== undefined) throw refusal(`${variable}, ${inFile}`, 'are both given: leave one out', '不能同时给出')
  let text
  try {
    text = readFileSync(file, 'utf8').replace(/[\r\n]+$/, '')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw refusal(inFile, `names ${file}, which cannot be read (${code})`, `指定的 ${file} 无法读取（${code}）`)
  }
  if (text === '') throw refusal(inFile, `names ${file}, which is empty`, `指定的 ${file} 为空`)
  return text
}

const refusal = (which: string, en: string, zh: string) => new ConfigError(words(`${which} ${en}.`, `${which} ${zh}。`))
