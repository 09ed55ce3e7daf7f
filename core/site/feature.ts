// The public data of the site, and its first setup.
import { feature } from '../feature.ts'
import { site } from './contract.ts'
import { createSiteHandlers } from './handlers.ts'

export const siteFeature = feature({ contract: site, handlers: createSiteHandlers })
