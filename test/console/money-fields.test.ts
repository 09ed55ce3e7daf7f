// That amounts of quota are typed in the one field for money: its list is derived from the contracts and the settings.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { z } from 'zod'
import { expect, it } from 'vitest'
import { getControl } from '../../core/contract/control.ts'
import { findFieldDeclaration } from '../../core/contract/field.ts'
import { endpointsByName } from '../../core/contracts.ts'
import { declaredSettings } from '../../core/settings/index.ts'
import type { Setting } from '../../core/settings/setting.ts'
import { root, sources } from '../support/sources.ts'

/** Every declared field of a request, as a form shows it. */
const controls = [...endpointsByName].flatMap(([endpoint, { body }]) =>
  Object.entries(body?.shape ?? {})
    .filter(([, schema]) => findFieldDeclaration(schema as z.ZodType))
    .map(([name]) => ({ endpoint, ...getControl(body!, name) })),
)

/** The names of the fields that take an amount of quota, in any request. */
const MONEY_FIELDS = new Set(controls.filter(({ takes }) => takes === 'quota').map(({ name }) => name))

const screens = sources
  .filter((path) => path.startsWith('console/') && path.endsWith('.tsx'))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))

/** What is bought is a whole number of dollars at the payment service, and has no other notation. */
const PURCHASES = ['console/screens/wallet/top-up-card.tsx']

it('the contracts name the fields of grants, tokens, codes, teams, transfers and thresholds', () => {
  expect([...MONEY_FIELDS].sort()).toEqual(
    expect.arrayContaining([
      ...['amount', 'budget_day', 'budget_month', 'budget_week', 'quota', 'quota_warning_threshold', 'remain_quota'],
    ]),
  )
})

it('every number that is declared in quota units is of the kind that the field for money shows', () => {
  const numbers = controls.filter(({ takes, unit }) => takes === 'number' && unit?.en === 'quota units')
  expect(numbers.map(({ endpoint, name }) => `${endpoint}: ${name}`)).toEqual([])
  const settings = Object.values(declaredSettings as Record<string, Setting<unknown>>)
  expect(settings.filter(({ unit }) => unit?.en === 'quota units').length).toBeGreaterThan(3)
})

it('no screen draws such a field as a plain number', () => {
  const plain = screens.flatMap(({ path, text }) =>
    [...text.matchAll(/<FormField\b[^>]*\bfield="(\w+)"[\s\S]*?<\/FormField>/g)]
      .filter(([part, name = '']) => MONEY_FIELDS.has(name) && /<InputNumber\b|type="number"/.test(part))
      .map(([, name]) => `${path}: ${name}`),
  )
  expect(plain).toEqual([])
})

it('no screen gives a number field an amount of quota', () => {
  const plain = screens
    .filter(({ path }) => !PURCHASES.includes(path))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/<InputNumber\b[\s\S]*?\/>/g)]
        .filter(([part]) => /quota|QuotaHint|budget|threshold/i.test(part))
        .map(([part]) => `${path}: ${part}`),
    )
  expect(plain).toEqual([])
})
