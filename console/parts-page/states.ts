// Declares the states of a part for the page of parts: `export const states = partStates({ disabled: () => <Choice … />
// })` in a file `*.parts.tsx` next to it. The build does not contain them.
import type { ComponentType } from 'react'

/** Each state by its name; a component, so that it can hold state. */
export type States = Record<string, ComponentType>

export const partStates = (states: States): States => states

/** Long enough to overflow, in both scripts. */
export const LONG =
  'A name that somebody made so long that no column, no button and no card of any console has room for it 一个长到任何一列都放不下的名称'
export const LONG_WORD = 'billing-reports-for-the-whole-organisation-of-1789-and-everything-after-it'

export const nothing = () => undefined
