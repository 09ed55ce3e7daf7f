// Tools that OpenAI's models know by type and the caller runs: written as functions for all other models, and their
// calls and results converted to and from those functions.
import type { Tool } from '../model-request.ts'
import { flattenToolName, type ToolForm, unwrapInput, wrapInput } from '../requests/tools.ts'
import type { JsonObject } from '../json/json-value.ts'
import { asList, getMember, asObject, parseJson, asText, omitUndefinedMembers } from '../json/json-value.ts'

const text = (description: string) => ({ type: 'string', description })
const texts = (description: string) => ({ type: 'array', items: { type: 'string' }, description })
const whole = (description: string) => ({ type: 'integer', description })

const shaped = (required: string[], properties: Record<string, object>) => ({ type: 'object', properties, required })

/** The function that replaces each of these tools. */
export const clientToolFunctions = {
  local_shell: (): Tool => ({
    name: 'local_shell',
    description: 'Runs a command on the user’s computer and gives what it prints.',
    parameters: shaped(['command'], {
      command: texts('The program and its arguments'),
      working_directory: text('Where to run it'),
      timeout_ms: whole('After how many milliseconds to stop it'),
      env: { type: 'object', additionalProperties: { type: 'string' }, description: 'Variables of its environment' },
      user: text('As whom to run it'),
    }),
  }),
  shell: ({ environment }: JsonObject): Tool => ({
    name: 'shell',
    description: [
      'Runs commands in a shell and gives what they print, and how they ended.',
      ...describeSkills(environment),
    ].join('\n'),
    parameters: shaped(['commands'], {
      commands: texts('The commands, which may run at the same time'),
      timeout_ms: whole('After how many milliseconds to stop them'),
      max_output_length: whole('How many characters of what they print are wanted'),
    }),
  }),
  apply_patch: (): Tool => ({
    name: 'apply_patch',
    description:
      'Creates, changes or deletes one file. A diff is in the V4A format: lines that begin with a space, + or -, in ' +
      'sections that begin with @@ and a line of what they are in. Of a new file all lines begin with +.',
    parameters: shaped(['type', 'path'], {
      type: { type: 'string', enum: ['create_file', 'update_file', 'delete_file'] },
      path: text('The file'),
      diff: text('What changes; not of a file that is deleted'),
    }),
  }),
  tool_search: ({ description, parameters }: JsonObject): Tool => ({
    name: 'tool_search',
    description: asText(description) ?? 'Searches for tools that can be loaded.',
    parameters: asObject(parameters) ?? shaped(['query'], { query: text('What the tools are wanted for') }),
  }),
}

/** Describes the skills that the caller has prepared in a shell for the model. */
const describeSkills = (environment: unknown): string[] =>
  (asList(getMember(environment, 'skills')) ?? []).map(
    (skill) =>
      `Skill ${asText(getMember(skill, 'name'))} in ${asText(getMember(skill, 'path'))}: ${asText(getMember(skill, 'description'))}`,
  )

const stringifyMembers = (members: JsonObject): string =>
  JSON.stringify(Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null)))

/** Returns the arguments in an item that calls one of a caller's tools, in JSON; undefined for items of other kinds. */
export function getCallArguments(item: JsonObject): string | undefined {
  const { type: _, ...action } = asObject(item.action) ?? {}
  switch (item.type) {
    case 'function_call':
      return asText(item.arguments) ?? ''
    case 'custom_tool_call':
      return wrapInput(asText(item.input) ?? '')
    case 'local_shell_call':
    case 'shell_call':
      return stringifyMembers(action)
    case 'apply_patch_call':
      return stringifyMembers(asObject(item.operation) ?? {})
    case 'tool_search_call':
      return typeof item.arguments === 'string' ? item.arguments : stringifyMembers(asObject(item.arguments) ?? {})
    default:
      return undefined
  }
}

/** Returns the members of a caller's tool call item other than its id and status. */
export function writeCallMembers({ type, name, namespace }: ToolForm, call_id: string, json: string): JsonObject {
  const given = asObject(parseJson(json)) ?? {}
  switch (type) {
    case 'function':
      return omitUndefinedMembers({ type: 'function_call', call_id, name, namespace, arguments: json })
    case 'custom':
      return omitUndefinedMembers({ type: 'custom_tool_call', call_id, name, namespace, input: unwrapInput(json) })
    case 'local_shell':
      return { type: 'local_shell_call', call_id, action: { type: 'exec', command: [], env: {}, ...given } }
    case 'shell': {
      const action = { commands: [], timeout_ms: null, max_output_length: null, ...given }
      return { type: 'shell_call', call_id, action, environment: { type: 'local' } }
    }
    case 'apply_patch':
      return { type: 'apply_patch_call', call_id, operation: buildOperation(given) }
    case 'tool_search':
      return { type: 'tool_search_call', call_id, execution: 'client', arguments: given }
  }
}

const PATCHES: readonly unknown[] = ['create_file', 'update_file', 'delete_file']

/** Returns a patch with all members of its kind, even if the model omitted some. */
function buildOperation({ type, path, diff }: JsonObject): JsonObject {
  const kind = PATCHES.includes(type) ? type : 'update_file'
  const file = { type: kind, path: asText(path) ?? '' }
  return kind === 'delete_file' ? file : { ...file, diff: asText(diff) ?? '' }
}

/** Matches whole members of unfinished JSON: inside a text their quotes would be escaped. */
const BEGUN = /"(type|path)"\s*:\s*("(?:[^"\\]|\\.)*")/g

/** Returns the operation that announces a patch call, without its diff. undefined until kind and file are known. */
export function findAnnouncedPatch(json: string): JsonObject | undefined {
  const known = Object.fromEntries([...json.matchAll(BEGUN)].map(([, key = '', value = '']) => [key, parseJson(value)]))
  return known.type === undefined || known.path === undefined ? undefined : { operation: buildOperation(known) }
}

/** Returns the result of a caller's tool, as a text or content parts; undefined for items of other kinds. */
export function getCallOutput(item: JsonObject): { output: unknown; failed?: true } | undefined {
  switch (item.type) {
    case 'function_call_output':
    case 'custom_tool_call_output':
    case 'local_shell_call_output':
      return { output: item.output }
    case 'shell_call_output':
      return { output: typeof item.output === 'string' ? item.output : JSON.stringify(item.output ?? []) }
    case 'apply_patch_call_output':
      return {
        output: asText(item.output) ?? asText(item.status),
        ...(item.status === 'failed' ? { failed: true } : {}),
      }
    case 'tool_search_output':
      return { output: `Loaded: ${listToolNames(item.tools).join(', ')}` }
    default:
      return undefined
  }
}

const listToolNames = (tools: unknown, namespace?: string): string[] =>
  (asList(tools) ?? []).flatMap((tool) => {
    const name = asText(getMember(tool, 'name')) ?? asText(getMember(tool, 'type')) ?? ''
    return getMember(tool, 'type') === 'namespace'
      ? listToolNames(getMember(tool, 'tools'), name)
      : [flattenToolName(namespace, name)]
  })
