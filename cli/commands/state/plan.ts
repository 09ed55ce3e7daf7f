// `weir plan` and `weir apply`: the changes that a file would make, and making them.
import path from 'node:path'
import type { WeirClient } from '../../../core/contracts.ts'
import { EMPTY_WORDS } from '../../../core/errors.ts'
import { command, type CommandEnvironment } from '../../command.ts'
import { requireConfirmation } from '../../input/confirm.ts'
import { UsageError } from '../../failure.ts'
import { concatTexts } from '../../language.ts'
import { type PlanRow, formatStatePlan, planView } from '../../nouns/state-plan.ts'
import { readDocumentText } from '../../output/signed-document.ts'
import { readStateFile, resolveReferences, formatStateFile } from '../../state-file.ts'
import { words } from '../../texts.ts'

const file = {
  spec: '<file>',
  help: words('the file, as weir export prints it; - reads standard input'),
} as const
const options = {
  prune: {
    flag: '--prune',
    help: words('also remove what the file does not name, in the sections that it has'),
  },
  identity: {
    flag: '--identity-file <file>',
    former: ['--identity'],
    help: words('age identity file that decrypts sealed values (WEIR_IDENTITY)'),
  },
  source: {
    flag: '--source <name>',
    help: words('name that things are marked with (default: that of the file)'),
  },
  all: {
    flag: '--all',
    help: words('show every change, also many of the same kind'),
  },
} as const

interface StateFlags {
  prune?: boolean | undefined
  identity?: string | undefined
  source?: string | undefined
}

/** Reads the file and resolves its references, ready to be sent. */
export async function readStateOrder(
  name: string,
  { prune, identity, source }: StateFlags,
  { env, readInput }: Pick<CommandEnvironment, 'env' | 'readInput'>,
) {
  const text = name === '-' ? await readInput() : await readDocumentText(name)
  const folder = name === '-' ? process.cwd() : path.dirname(path.resolve(name))
  const { document, missing } = await resolveReferences(await readStateFile(text, name), {
    env,
    folder,
    identity: identity ?? env.WEIR_IDENTITY,
  })
  const known = source ?? (name === '-' ? 'weir.yaml' : path.basename(name))
  const unresolved = missing.map(({ path: place }) => place)
  return { order: { document, unresolved, source: known, prune: prune === true }, missing }
}

export const planCommand = command({
  endpoint: 'state.plan',
  name: 'plan',
  readOnly: true,
  output: { view: planView, many: false },
  summary: words('Show what a file would change, field by field, and the consequences'),
  details: words(
    'Nothing is changed: all changes are tried and rolled back, so invalid ones are refused here already. Exit code 0 if Weir matches the file, 2 if something would change.\nweir plan weir.yaml --json > plan.json keeps the plan; weir apply weir.yaml --plan plan.json does exactly that or nothing.',
  ),
  arguments: { file },
  options,
  async run(context) {
    const { client, args, exit } = context
    const { order, missing } = await readStateOrder(args.file, context.options, context)
    const row = { ...(await (await client()).state.plan(order)), missing }
    await printPlan(row, context)
    if (row.changes.length > 0) exit(CHANGES)
  },
})

/** The exit code of a plan that changes something. */
const CHANGES = 2

export const applyCommand = command({
  endpoint: 'state.apply',
  name: 'apply',
  output: { view: planView, many: false },
  summary: words('Apply a file to Weir, completely or not at all'),
  details: words(
    'Shows the plan and asks for confirmation. Applies exactly that plan, or nothing if anything has changed since. Everything in the file is marked as managed by it: edits made elsewhere show a warning and appear in the next plan.',
  ),
  arguments: { file },
  options: {
    ...options,
    plan: {
      flag: '--plan <file>',
      help: words('only the changes of this plan (weir plan --json)'),
    },
    yes: { flag: '--yes', help: words('apply without asking') },
  },
  async run(context) {
    const { client, print, ask, args } = context
    const sure = requireConfirmation(ask, context.options.yes, words('apply a file'))
    const { order, missing } = await readStateOrder(args.file, context.options, context)
    const weir = await client()
    const digest =
      context.options.plan === undefined ? undefined : parseDigest(await readDocumentText(context.options.plan))
    const planned = { ...(await weir.state.plan(order)), missing }
    if (planned.changes.length > 0 && !context.options.yes) {
      print.say(formatStatePlan(planned, print, { money: await context.money(), all: context.options.all === true }))
      await sure(words('Apply this?'))
    }
    await printPlan(await applyPlan(weir, { ...order, digest: digest ?? planned.digest }, missing), context, APPLIED)
  },
})

const APPLIED = words('Applied.')

const applyPlan = async (
  weir: WeirClient,
  order: Parameters<WeirClient['state']['apply']>[0],
  missing: PlanRow['missing'],
) => ({
  ...(await weir.state.apply(order)),
  missing,
})

async function printPlan(
  row: PlanRow,
  { print, money, options }: Pick<CommandEnvironment, 'print' | 'money'> & { options: { all: boolean | undefined } },
  before = EMPTY_WORDS,
): Promise<void> {
  const report = formatStatePlan(row, print, { money: await money(), all: options.all === true })
  const human = before.en === '' || row.changes.length === 0 ? report : concatTexts([report, before])
  await print.done(row, planView, { human, quietOutput: row.digest })
}

/** @throws UsageError */
function parseDigest(text: string): string {
  try {
    const { digest } = JSON.parse(text) as { digest?: unknown }
    if (typeof digest === 'string') return digest
  } catch {
    // Reported below.
  }
  throw new UsageError(words('--plan takes what weir plan --json prints.'))
}

// `weir export`: the configuration as a file.

export const exportStateCommand = command({
  endpoint: 'state.export',
  name: 'export',
  readOnly: true,
  summary: words('Print the whole configuration as a file: weir export > weir.yaml'),
  details: words(
    'Exports settings and prices that differ from the defaults, groups, channels, sign-in services, teams and redemption codes. Secrets are references (${ENV:NAME}); write ${file:PATH} for a secret in a file, or encrypt them all with --seal-to, so that the file is complete and only the owner of that age key can apply it (weir apply --identity-file).\nKeep it under version control: weir plan weir.yaml shows the effect of a change.',
  ),
  options: {
    sealTo: {
      flag: '--seal-to <recipient>',
      help: words('encrypt secrets for this age public key (age1…)'),
    },
    people: {
      flag: '--people',
      help: words('with users, their API tokens, and members of teams'),
    },
    schema: {
      flag: '--schema',
      help: words('print the JSON schema of such files instead'),
    },
  },
  async run({ client, print, options, language }) {
    if (options.schema) {
      const { documentSchema } = await import('./document-schema.built.ts')
      return print.text(JSON.stringify(documentSchema, null, 2), documentSchema)
    }
    const { document, comments } = await (
      await client()
    ).state.export({ seal_to: options.sealTo ?? '', people: options.people === true })
    await print.text((await formatStateFile(document, comments, language)).trimEnd(), document)
  },
})
