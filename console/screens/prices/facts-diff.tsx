// The facts of a model that differ in a catalogue, before and after.
import { useTexts } from '../../data/texts.tsx'
import type { PriceDifference } from './draft.ts'
import { words } from './views-texts.ts'

export function FactsDiff({ row: { facts_differ, facts_now, facts_there } }: { row: PriceDifference }) {
  const t = useTexts(words)
  const value = (facts: PriceDifference['facts_now'], name: PriceDifference['facts_differ'][number]) =>
    [facts[name] ?? '–'].flat().join(', ')
  return (
    <ul>
      {facts_differ.map((name) => (
        <li key={name}>
          {t[`facts.${name}`]}: {value(facts_now, name)} → {value(facts_there, name)}
        </li>
      ))}
    </ul>
  )
}
