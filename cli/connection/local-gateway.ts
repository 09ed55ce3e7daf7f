// Opens the gateway of this machine for a command. In the small bundle, no-gateway.ts takes the place of this file.
import { z } from 'zod'
import type { Config } from '../../core/config.ts'
import type { LocalGateway } from './connect.ts'

/** Loads the gateway only when one is opened in this process, because that takes half a second. */
export async function openLocalGateway(config: Config): Promise<LocalGateway> {
  // One command parses too little for compiled schemas to pay.
  z.config({ jitless: true })
  return (await import('../../core/adapters/node.ts')).openGateway(config)
}
