// The public data of the site, and its first setup.
import type { Feature } from '../feature.ts'
import { siteContract } from './contract.ts'
import { createSiteHandlers, type SitePorts } from './handlers.ts'

export const siteFeature: Feature<SitePorts, typeof siteContract> = {
  contract: siteContract,
  handlers: createSiteHandlers,
}
