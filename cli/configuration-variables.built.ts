// The variables of the configuration, except the place of the data: with one of them set, a command reads the configuration.
import { configOptions, secretVariable, SECRET_VARIABLE_NAMES, toFileVariable } from '../core/config.ts'

const PLACES: readonly string[] = [configOptions.data.env, configOptions.database.env]

export const configurationVariables: readonly string[] = [
  ...Object.values(configOptions)
    .map(({ env }): string => env)
    .filter((name) => !PLACES.includes(name)),
  secretVariable.env,
  ...SECRET_VARIABLE_NAMES.map(toFileVariable),
]
