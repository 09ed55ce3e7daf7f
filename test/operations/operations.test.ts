// The page of the metrics, the dashboard and the alert rules name existing metrics only, and all of them.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { openMetricStore } from '../../core/adapters/prometheus.ts'
import { metrics } from '../../core/metrics/metrics.data.ts'
import type { MetricDefinition } from '../../core/ports/metric-store.ts'
import { readExposition } from '../support/exposition.ts'
import { runHere } from '../support/terminal.ts'
import { page, PAGE } from './monitor-page.ts'

const example = (name: string) => readFileSync(new URL(`../../examples/operations/${name}`, import.meta.url), 'utf8')

interface Rule {
  alert: string
  expr: string
  labels: { severity: string }
  annotations: { summary: string; do: string }
}
const rules = (parse(example('alerts.yml')) as { groups: { rules: Rule[] }[] }).groups.flatMap(({ rules }) => rules)
const dashboard = JSON.parse(example('dashboard.json')) as {
  panels: { title: string; type: string; targets?: { expr: string }[] }[]
  templating: { list: { query: unknown; definition?: string }[] }
}
const asked = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
const looked = dashboard.templating.list.flatMap(({ definition }) => (definition ? [definition] : []))

const NAME = /\b(?:weir|nodejs|process)_[a-z0-9_]+/g
const namesIn = (text: string) => [...text.matchAll(NAME)].map(([name]) => name)

/** Names that a scrape has, with the endings of histograms. */
async function scraped(): Promise<Set<string>> {
  const meter = await openMetricStore(metrics)
  const families = readExposition(await meter.text())
  return new Set(
    [...families].flatMap(([name, { type }]) =>
      type === 'histogram' ? ['', '_bucket', '_sum', '_count'].map((end) => name + end) : [name],
    ),
  )
}

it('the page of the metrics is the one that their declarations make', () => {
  expect(readFileSync(PAGE, 'utf8')).toBe(page())
})

it('dashboard and rules ask for metrics and labels that there are', async () => {
  const known = await scraped()
  for (const text of [...asked, ...looked, ...rules.map(({ expr }) => expr)]) {
    expect(
      namesIn(text).filter((name) => !known.has(name)),
      text,
    ).toEqual([])
    // `{label="…"}` behind a metric of ours.
    for (const [, name = '', matchers = ''] of text.matchAll(/(weir_[a-z_]+)\{([^}]*)\}/g)) {
      const labels: readonly string[] =
        (metrics as Record<string, MetricDefinition>)[name.replace(/_(bucket|sum|count)$/, '')]?.labels ?? []
      const unknown = [...matchers.matchAll(/([a-z]+)\s*[=!]/g)].map(([, label = '']) => label)
      expect(
        unknown.filter((label) => !labels.includes(label)),
        text,
      ).toEqual([])
    }
  }
})

it('every metric is on the dashboard or in a rule', () => {
  const shown = new Set([...asked, ...looked, ...rules.map(({ expr }) => expr)].flatMap(namesIn))
  const bare = new Set([...shown].map((name) => name.replace(/_(bucket|sum|count)$/, '')))
  expect(Object.keys(metrics).filter((name) => !bare.has(name))).toEqual([])
})

it('every alert has a name of its own and a severity, and the commands that it names are there', async () => {
  for (const { alert, labels } of rules) {
    expect(alert).toMatch(/^Weir[A-Z]/)
    expect(['critical', 'warning'], alert).toContain(labels.severity)
  }
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length)
  // `weir` alone shows what needs attention, and takes no word.
  const named = rules.flatMap(({ annotations }) => [
    ...annotations.do.matchAll(/weir ((?!shows\b)[a-z-]+(?: [a-z-]+)?)/g),
  ])
  expect(named.length).toBeGreaterThan(3)
  // The help of a word that is no command is that of the commands around it.
  for (const [, words = ''] of named)
    expect((await runHere([...words.split(' '), '--help'])).stdout).toMatch(new RegExp(`^Usage: weir ${words}\\b`))
})

it('no metric has a label of a person, and every name says its unit', () => {
  for (const [name, { kind, labels, help }] of Object.entries<MetricDefinition>(metrics)) {
    expect(
      labels.filter((label) => /user|token|key|ip|request/.test(label)),
      name,
    ).toEqual([])
    expect(name.endsWith('_total'), name).toBe(kind === 'counter')
    expect(help, name).not.toMatch(/\.$/)
  }
})
