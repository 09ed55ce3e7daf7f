// The props of each part of the channel panel.
import type { ChannelType } from '../../../core/channels/contract.ts'
import type { ChannelDraft } from './form.ts'

/** The props of every part of the panel. */
export interface PartProps {
  /** null for a new channel. */
  id: number | null
  draft: ChannelDraft
  set(change: Partial<ChannelDraft>): void
  types: ChannelType[]
  /** The chosen type; undefined if the server no longer has it. */
  type: ChannelType | undefined
  isNew: boolean
}
