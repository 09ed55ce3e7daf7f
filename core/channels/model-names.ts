// The model names that channels list, and the names that mean the same model.
import { plainName, sameModels } from '../models/same-model.ts'
import type { RoutedChannel } from './routed-channel.ts'

export interface ModelNames {
  /** Channels of any status that list exactly this name. */
  of(name: string): readonly RoutedChannel[]
  /** Returns the listed names of the same model, best first. */
  same(model: string): string[]
}

const NO_MODELS: readonly never[] = []

export function createModelNames(channels: Iterable<RoutedChannel>): ModelNames {
  const byName = new Map<string, RoutedChannel[]>()
  const byPlain = new Map<string, string[]>()
  for (const channel of channels) {
    for (const name of channel.model_names) {
      const known = byName.get(name)
      if (known) known.push(channel)
      else {
        byName.set(name, [channel])
        const plain = plainName(name)
        byPlain.set(plain, [...(byPlain.get(plain) ?? NO_MODELS), name])
      }
    }
  }
  return {
    of: (name) => byName.get(name) ?? NO_MODELS,
    same: (model) => sameModels(model, byPlain.get(plainName(model)) ?? NO_MODELS),
  }
}
