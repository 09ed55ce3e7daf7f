// State in memory belongs to an object with an end: a gateway, a settings snapshot, a price, a channel, a connection.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root, sources } from './support/sources.ts'

/** What is written after its file has loaded, and what that is for. */
const writtenLater: Record<string, string> = {
  'core/dialects/reasoning/model-fit.ts knownAt':
    'what a pure function found in a table that never changes: 9 ns instead of 2 µs, thrice a call',
  'core/dialects/json/json-bytes.ts read':
    'the members of a body, found as its cost was counted; an entry goes with its body',
  'core/dialects/json/long-texts.ts marked': 'the texts of the body whose head is being read, for as long as it is',
  'core/dialects/requests/measured-body.ts lists':
    'the tools of 16 recent requests: an agent sends the same ones with every turn, and 36 KB of them take 200 µs to read',
  'core/dialects/requests/measured-body.ts sums':
    'what a pure function made of such a list; an entry goes with its list',
  'core/dialects/requests/measured-body.ts plainBodies':
    'what the scan of a body found, for the check of words; an entry goes with its body',
  'core/dialects/requests/request-body.ts decoded':
    'the text of a body, for two readers of one step: decoding 256 KB takes 170 µs',
  'core/dialects/requests/object-places.ts known':
    'what a pure function made of a declaration: some hold themselves, so each is worked out when it is first walked',
  'core/providers/index.ts registry': 'programs add kinds of channels of their own before they open a gateway',
  'core/providers/index.ts byType': 'the same by number',
  'http/peer.ts pool': 'chance that is drawn for many ids at once: an id takes 0.1 µs, 1.2 µs without',
  'http/peer.ts used': 'how much of it is used',
  'http/peer.ts second': 'the second that is written in `text`',
}

it('nothing of a module changes after it has loaded: what is remembered has an owner that is made and goes', () => {
  const found = sources
    .filter((file) => /^(core|http)\//.test(file))
    .flatMap((file) => {
      const text = readFileSync(join(root, file), 'utf8')
      const lets = [...text.matchAll(/^(?:export )?(?:let|var) (\w+)/gm)].map(([, name = '']) => name)
      const made = [...text.matchAll(/^(?:export )?const (\w+)(?::[^\n]+?)? = (?:new \w+|\[|\{)/gm)]
        .map(([, name = '']) => name)
        .filter((name) =>
          [
            `const ${name}\\b.* = new Weak`,
            `\\b${name}\\.(set|add|delete|clear|push|pop|shift|unshift|splice|fill)\\(`,
            `\\b${name}\\[[^\\]]+\\] (\\?\\?|\\+|-)?= `,
            `FillSync\\(${name}\\)`,
          ].some((change) => new RegExp(change).test(text)),
        )
      return [...lets, ...made].map((name) => `${file} ${name}`)
    })
  expect(found.sort()).toEqual(Object.keys(writtenLater).sort())
})
