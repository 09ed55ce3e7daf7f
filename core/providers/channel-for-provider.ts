// The channel data for requests to a provider.

/** The part of a channel that its provider's code sees: the operator's account data. */
export interface ChannelForProvider {
  key: string
  base_url: string
  openai_organization: string
  /** The further value that the provider needs, such as a region, a project or a version. */
  other: string
  /** JSON text. */
  setting: string
}
