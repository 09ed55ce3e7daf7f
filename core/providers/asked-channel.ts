// The channel that a provider is asked by.

/** What a provider may know of it: what operators said of their account there. */
export interface AskedChannel {
  key: string
  base_url: string
  openai_organization: string
  /** What else the provider needs: a region, a project, a version, as its declaration says. */
  other: string
  /** JSON text. */
  setting: string
}
