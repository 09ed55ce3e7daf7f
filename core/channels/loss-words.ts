// Describes the effect of disabling or deleting channels, for the confirmation.
import { words, type Words } from '../errors.ts'
import type { DisableImpact } from './consequences.ts'

/** Maximum number of models listed for each group. The rest is a count. */
const TOLD = 10

/** Returns a sentence for each group whose calls would fail; empty if there is none. */
export const describeImpact = ({ lost }: Pick<DisableImpact, 'lost'>): Words[] =>
  lost.map(({ group, models }) => {
    const named = models.slice(0, TOLD)
    const more = models.length - named.length
    const [en, zh] = [named.join(', '), named.join('、')]
    return words(
      `${models.length} ${models.length === 1 ? 'model loses its' : 'models lose their'} only channel in the group ${group}: ${en}${more > 0 ? ` and ${more} more` : ''}.`,
      `分组 ${group} 中有 ${models.length} 个模型失去唯一的渠道：${zh}${more > 0 ? ` 等` : ''}。`,
    )
  })
