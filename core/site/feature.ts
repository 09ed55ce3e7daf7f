// The public data of the site, and its first setup.
import type { Feature } from '../feature.ts'
import { site } from './contract.ts'
import { createSiteHandlers, type SitePorts } from './handlers.ts'

export const siteFeature: Feature<SitePorts, typeof site> = { contract: site, handlers: createSiteHandlers }
