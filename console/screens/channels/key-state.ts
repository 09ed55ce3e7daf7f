// The state of one key of a channel, for every place that shows keys.
import type { ShownKey } from '../../../core/channels/keys-contract.ts'

export const KEY_STATE_NAMES = ['on', 'byHand', 'byItself'] as const
export type KeyState = (typeof KEY_STATE_NAMES)[number]

/** A key that was disabled automatically has a reason. */
export const getKeyState = ({ on, reason }: ShownKey): KeyState => (on ? 'on' : reason === '' ? 'byHand' : 'byItself')

export const keyStateColors = { on: 'green', byHand: 'grey', byItself: 'red' } as const

/** Returns whether the search text matches the ends of the key, its fingerprint or the reason why it is off. */
export const matchesChannelKey = ({ key, fingerprint, reason }: ShownKey, typed: string): boolean =>
  [key, fingerprint, reason].some((text) => text.toLowerCase().includes(typed.trim().toLowerCase()))
