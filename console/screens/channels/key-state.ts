// The state of one key of a channel, wherever keys are shown.
import type { ShownKey } from '../../../core/channels/keys-contract.ts'

export const KEY_STATES = ['on', 'byHand', 'byItself'] as const
export type KeyState = (typeof KEY_STATES)[number]

/** What switches itself off says why. */
export const stateOf = ({ on, reason }: ShownKey): KeyState => (on ? 'on' : reason === '' ? 'byHand' : 'byItself')

export const keyColors = { on: 'green', byHand: 'grey', byItself: 'red' } as const

/** Is it meant by what was typed: its ends, its fingerprint or why it is off? */
export const matchesKey = ({ key, fingerprint, reason }: ShownKey, typed: string): boolean =>
  [key, fingerprint, reason].some((text) => text.toLowerCase().includes(typed.trim().toLowerCase()))
