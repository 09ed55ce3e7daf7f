// Forms are filled in as their fields declare: in the console and in the terminal, each field once.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { z } from 'zod'
import { listEveryCommand } from '../cli/command.ts'
import { allCommands } from '../cli/commands/index.ts'
import { ChannelSetting } from '../core/channels/channel.ts'
import { fieldsOfForm } from '../core/contract/control.ts'
import { findFieldDeclaration } from '../core/contract/field.ts'
import { endpointsByName } from '../core/contracts.ts'
import { root, sources } from './support/sources.ts'

it('every field of a form is reachable in console and terminal, or its declaration says why not', () => {
  const forms = [
    {
      noun: 'channels',
      console: 'console/screens/channels',
      terminal: /^cli\/(commands\/channels\/[a-z-]+|channel-form)\.ts$/,
    },
    {
      noun: 'tokens',
      console: 'console/screens/tokens',
      terminal: /^cli\/(commands\/tokens\/[a-z]+|nouns\/token-form)\.ts$/,
    },
    { noun: 'teams', console: 'console/screens/teams', terminal: /^cli\/commands\/teams\.ts$/ },
    { noun: 'site', console: 'console/screens/setup', terminal: /^cli\/(commands\/init|first-run)\.ts$/ },
  ]
  /** Flags of the noun's commands: those made from a form have the names of its fields. */
  const flagsOf = (noun: string) =>
    allCommands
      .flatMap((entry) => (entry.name === noun ? listEveryCommand([entry]) : []))
      .flatMap(([, { options }]) => Object.keys(options))
  // A comment that names a field fills in nothing.
  const textOf = (isPart: (file: string) => boolean) =>
    sources
      .filter(isPart)
      .map((file) => readFileSync(join(root, file), 'utf8').replace(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, ''))
      .join('\n')
  const missing = forms.flatMap(({ noun, console, terminal }) => {
    const faces = {
      console: textOf((file) => file.startsWith(`${console}/`)),
      terminal: `${textOf((file) => terminal.test(file))} ${flagsOf(noun).join(' ')}`,
    }
    const bodies = ['create', 'update', 'setup', 'putMember', 'transfer'].map(
      (name) => endpointsByName.get(`${noun}.${name}`)?.body,
    )
    const shape: Record<string, z.ZodType> = Object.assign({}, ...bodies.map((body) => body?.shape))
    return Object.entries(shape).flatMap(([field, schema]) => {
      const { group, notIn = {} } = findFieldDeclaration(schema) ?? {}
      return (['console', 'terminal'] as const)
        .filter((face) => notIn[face] === undefined)
        .filter((face) => !new RegExp(`\\b${field}\\b${group ? `|['"]${group}['"]` : ''}`).test(faces[face]))
        .map((face) => `${noun} ${field}: ${face}`)
    })
  })
  expect(missing).toEqual([])
})

// What is chosen there is not sent as it is.
const apart = ['channels/use-batch.tsx', 'teams/top-up.tsx', 'tokens/connect.tsx']

it('every field of a panel says which it is, so that what is refused of it stands there', () => {
  const nameless = sources
    .filter((file) => /^console\/screens\/(channels|teams|tokens)\/.*\.tsx$/.test(file))
    .filter((file) => !apart.some((name) => file.endsWith(name)))
    .flatMap((file) =>
      [...readFileSync(join(root, file), 'utf8').matchAll(/<Field\b[^>]*>/g)].map(([tag]) => file + tag),
    )
    .filter((tag) => !tag.includes('field='))
  expect(nameless).toEqual([])
})

it("every member of a channel's setting is declared: its words in both languages, and how it is filled in", () => {
  const members = Object.entries(ChannelSetting.shape as Record<string, z.ZodType>)
  const form = fieldsOfForm(ChannelSetting)
  expect(Object.keys(form)).toEqual(members.map(([name]) => name))
  const wrong = Object.values(form).flatMap(({ name, label, help, takes, protocols, unit, choices, values }) => [
    ...[label.en, label.zh, help.en, help.zh].filter((text) => text === '').map(() => `${name}: no words`),
    ...(label.zh === label.en ? [`${name}: one language`] : []),
    ...(takes === 'address' && !protocols ? [`${name}: which protocols?`] : []),
    ...(takes === 'by_model' && !unit ? [`${name}: of which unit?`] : []),
    ...(takes === 'choice' && choices?.length !== values.length ? [`${name}: words of its choices`] : []),
    // An object is no text: it needs rows.
    ...(takes === 'text' ? [`${name}: which control?`] : []),
  ])
  expect(wrong).toEqual([])
})

it('no screen writes the label of a field anew: it is translated where the field is declared', () => {
  const wrong = ['channels', 'tokens', 'setup'].flatMap((noun) => {
    const shape = endpointsByName.get(noun === 'setup' ? 'site.setup' : `${noun}.create`)?.body?.shape as Record<
      string,
      z.ZodType
    >
    const files = sources.filter(
      (file) =>
        file.startsWith(`console/screens/${noun}/`) &&
        file.endsWith('.tsx') &&
        !apart.some((name) => file.endsWith(name)),
    )
    const drawn = files.map((file) => readFileSync(join(root, file), 'utf8')).join('\n')
    const labelled = [...drawn.matchAll(/<Field\s+label=\{t\('([^']+)'\)\}/g)].map(([, text]) => text)
    return Object.entries(shape).flatMap(([name, schema]) => {
      const { label, notIn } = findFieldDeclaration(schema) ?? {}
      if (!label || notIn?.console) return []
      const copies = labelled.filter((text) => text === label.en)
      return copies.map((text) => `${noun} ${name}: its label is written anew as "${text}"`)
    })
  })
  expect(wrong).toEqual([])
})
