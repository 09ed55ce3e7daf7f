// Opens the gateway of this machine for a command. In the small bundle, no-gateway.ts takes the place of this file.
import type { Config } from '../../core/config.ts'
import type { LocalGateway } from './connect.ts'

/** Loads the gateway only when one is opened in this process, because that takes a second. */
export const openLocalGateway = async (config: Config): Promise<LocalGateway> =>
  (await import('../../core/adapters/node.ts')).openGateway(config)
