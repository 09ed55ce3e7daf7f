// A feature of Weir: a folder whose `feature.ts` declares all that it adds. A line in `features.ts` adds it to the
// gateway, and one in `contracts.ts` adds its endpoints for the clients.
import type { ContractHandlers } from './auth/caller.ts'
import type { CallSink } from './calls/sinks.ts'
import type { FeatureEndpoints } from './contract/endpoint.ts'
import type { BackgroundJob } from './jobs.ts'

/** `Needs`: the parts of the gateway that the feature takes. `gateway.ts` does not compile if it has no such part. */
interface Work<Needs> {
  jobs?: (parts: Needs) => BackgroundJob[]
  /** Returns the feature's sinks for finished calls. */
  sinks?: (parts: Needs) => CallSink[]
}

/** The declaration of a folder with endpoints. */
export interface Feature<Needs, Contract extends FeatureEndpoints> extends Work<Needs> {
  contract: Contract
  handlers: (parts: Needs) => ContractHandlers<Contract>
}

/** The declaration of a folder without endpoints. */
export interface BackgroundFeature<Needs> extends Work<Needs> {
  contract?: undefined
  handlers?: undefined
}
