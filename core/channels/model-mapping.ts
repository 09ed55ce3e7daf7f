// Follows a channel's mapping of model names, and compares its models with the list of its provider.

/** Reads the mapping of a name: the last name of its chain, and whether the chain returns to an earlier one. */
export function followMapping(
  model: string,
  mapping: Readonly<Record<string, string>>,
): { name: string; isCycle: boolean } {
  const seen = new Set<string>()
  let name = model
  while (Object.hasOwn(mapping, name)) {
    const next = mapping[name]?.trim()
    if (!next || next === name) break
    if (seen.has(next)) return { name, isCycle: true }
    seen.add(name)
    name = next
  }
  return { name, isCycle: false }
}

/** The models of a channel and of its provider's list. */
export interface ModelComparison {
  /** In the list, under a name that no model of the channel is sent as; sorted. */
  new: string[]
  /** In the channel, and not in the list under the name that they are sent as. */
  gone: string[]
  /** In the channel and in the list. */
  unchanged: string[]
}

/**
 * Compares the models of a channel with those that its provider lists, by the names that the provider receives.
 * Providers list some names in another letter case than they accept.
 */
export function compareChannelModels(
  served: readonly string[],
  mapping: Readonly<Record<string, string>>,
  offered: readonly string[],
): ModelComparison {
  const getSentName = (model: string) => followMapping(model, mapping).name.toLowerCase()
  const available = new Set(offered.map((model) => model.toLowerCase()))
  const sent = new Set(served.map(getSentName))
  return {
    new: [...new Set(offered)].filter((model) => !sent.has(model.toLowerCase())).sort(),
    gone: served.filter((model) => !available.has(getSentName(model))),
    unchanged: served.filter((model) => available.has(getSentName(model))),
  }
}
