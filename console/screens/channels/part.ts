// What each part of the channel panel is given.
import type { ChannelType } from '../../../core/channels/contract.ts'
import type { ChannelDraft } from './form.ts'

/** What every part of the panel gets. */
export interface PartProps {
  /** Null for one that does not exist yet. */
  id: number | null
  draft: ChannelDraft
  set(change: Partial<ChannelDraft>): void
  types: ChannelType[]
  /** The chosen type; absent where the server no longer knows it. */
  type: ChannelType | undefined
  isNew: boolean
}
