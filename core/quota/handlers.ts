// The ledger's endpoints.
import type { Handlers } from '../auth/handler.ts'
import type { Storage } from '../ports/storage.ts'
import type { quota } from './contract.ts'
import type { Ledger } from './ledger.ts'

export function createQuotaHandlers({ storage, ledger }: { storage: Storage; ledger: Ledger }): Handlers<typeof quota> {
  return {
    async verify() {
      const faults = await storage.ledger.faults()
      const open_holds = storage.ledger.exclusive ? ledger.openHolds() : await storage.ledger.countHolds()
      return { ok: faults.length === 0, open_holds, faults }
    },
  }
}
