// Flags of a command made from the declared fields of a form: `--budget-day <number>`, with its help.
import type { z } from 'zod'
import { controlsOf, type Control } from '../core/contract/control.ts'
import { UsageError } from './failure.ts'
import { wholeNumber } from './input.ts'

/** By the field's name. */
export type DeclaredFlags = Record<string, { flag: `--${string} <${string}>`; help: string }>

/** One flag for each field of a form's group. */
export const flagsOf = (form: z.ZodObject, group: string): DeclaredFlags =>
  Object.fromEntries(
    controlsOf(form, group).map(({ name, takes, values, help }) => {
      const value = values.length > 0 ? values.filter((one) => one !== '').join('|') : VALUES[takes]
      return [name, { flag: `${flagName(name)} <${value}>` as const, help: help.en }]
    }),
  )

/** What was given for such flags, as the form takes it. @throws UsageError naming the flag */
export const valuesOf = (form: z.ZodObject, group: string, given: object): Record<string, unknown> =>
  Object.fromEntries(
    controlsOf(form, group).flatMap((control) => {
      const text = (given as Record<string, unknown>)[control.name]
      return typeof text === 'string' ? [[control.name, valueOf(control, text)]] : []
    }),
  )

const flagName = (name: string) => `--${name.replaceAll('_', '-')}` as const
const VALUES = { text: 'text', number: 'number', flag: 'yes|no', choice: 'word' } as const

function valueOf({ name, takes }: Control, text: string): unknown {
  if (takes === 'number') return wholeNumber(flagName(name), text)
  if (takes !== 'flag') return text
  if (text !== 'yes' && text !== 'no') throw new UsageError(`${flagName(name)} must be yes or no, not "${text}".`)
  return text === 'yes'
}
