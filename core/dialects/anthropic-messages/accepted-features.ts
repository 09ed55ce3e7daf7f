// Removes Anthropic's beta flags and fields that another cloud does not accept, since it refuses a request with any of
// them. The endpoints of a cloud declare what they accept.
import type { ByteRange, JsonMember, ObjectBytes } from '../json/json-bytes.ts'
import {
  readElements,
  isListAt,
  isObjectAt,
  scanObjectMembers,
  parseJsonRange,
  findCuts,
  applyByteSplices,
} from '../json/json-bytes.ts'
import { asList, getMember, asObject, asText } from '../json/json-value.ts'
import { parseClaudeVersion } from './thinking.ts'

/**
 * The models that accept a flag, a field or a tool: every model if no condition is given. Versions are those of
 * `parseClaudeVersion`.
 */
export interface FeatureCondition {
  from?: number
  until?: number
  /** Models of these names refuse it even so. */
  except?: RegExp
  /** Accepted only together with one of these flags. */
  with?: readonly string[]
  /** This cloud's name for the flag. */
  as?: string
}

export type FeatureConditions = Readonly<Record<string, FeatureCondition>>

/** The flags and fields of Anthropic's that an endpoint accepts, by its documentation. */
export interface AcceptedFeatures {
  /** Date on which the pages were read, and their addresses. */
  read_on: string
  pages: readonly string[]
  /** Flags of `anthropic-beta`. */
  betas: FeatureConditions
  /**
   * Fields by path: `metadata`, `tools.strict`, `cache_control.ttl`, `context_management.edits.TYPE`,
   * `messages.output_config`, `thinking.block_binding`, `thinking.display.updates`. undefined accepts all.
   */
  fields?: FeatureConditions
  /** Anthropic's built-in tools, by type without the date. */
  tools?: FeatureConditions
}

export interface CloudRequest {
  body: Uint8Array
  /** Beta flags. */
  betas: readonly string[]
}

/**
 * Removes the flags, fields and tools that the endpoint does not accept for the model.
 * @param models the provider's model name and the caller's: the first with a version counts
 * @param more names that the operator allows in addition; `*` for everything
 */
export function fitToEndpoint(
  { body, betas }: CloudRequest,
  words: AcceptedFeatures,
  models: readonly string[],
  more: readonly string[],
): CloudRequest & { dropped: string[] } {
  const also = new Set(more)
  if (also.has('*')) return { body, betas, dropped: [] }
  const own = scanObjectMembers(body).members.findLast(({ key }) => key === BETAS)
  const flags = [...betas, ...(asList(own && parseJsonRange(body, own)) ?? []).map(String)]
  const version = models.map(parseClaudeVersion).find((one) => one !== undefined)
  const takes = (list: FeatureConditions, name: string, sent: readonly string[]): boolean => {
    if (also.has(name)) return true
    const word = Object.hasOwn(list, name) ? list[name] : undefined
    if (!word) return false
    if (version !== undefined && (version < (word.from ?? 0) || version > (word.until ?? Infinity))) return false
    if (word.except && models.some((model) => word.except?.test(model))) return false
    return !word.with || word.with.some((flag) => sent.includes(flag))
  }
  const sent: string[] = []
  const dropped: string[] = []
  for (const flag of new Set(flags)) {
    const name = (also.has(flag) ? undefined : words.betas[flag]?.as) ?? flag
    if (!takes(words.betas, name, [])) dropped.push(flag)
    else if (!sent.includes(name)) sent.push(name)
  }
  const cuts = new BodyCuts(body, {
    field: (name) => name === BETAS || !words.fields || takes(words.fields, name, sent),
    tool: (type) => !words.tools || takes(words.tools, type, sent),
  })
  return { body: applyByteSplices(body, cuts.find()), betas: sent, dropped: [...dropped, ...cuts.dropped] }
}

/** Some clients of clouds send their flags in the body. */
const BETAS = 'anthropic_beta'
const MARK = 'cache_control'

interface Takes {
  /** Is the field with this path accepted? */
  field(name: string): boolean
  /** Is the tool of this type, without the date, accepted? */
  tool(type: string): boolean
}

/** Finds the byte ranges to cut out of a request's body. */
class BodyCuts {
  readonly dropped = new Set<string>()
  private readonly cuts: ByteRange[] = []
  private readonly body: Uint8Array
  private readonly takes: Takes

  constructor(body: Uint8Array, takes: Takes) {
    this.body = body
    this.takes = takes
  }

  find(): readonly ByteRange[] {
    const object = scanObjectMembers(this.body)
    const readValue = (key: string) => {
      const member = object.members.findLast((one) => one.key === key)
      return member && parseJsonRange(this.body, member)
    }
    const tools = asList(readValue('tools')) ?? []
    const acceptedTools = tools.filter((tool) => this.takesTool(tool))
    const chosen = asText(getMember(readValue('tool_choice'), 'name'))
    const gone = acceptedTools.length < tools.length
    const choiceless =
      gone && (acceptedTools.length === 0 || tools.some((tool) => !acceptedTools.includes(tool) && named(tool, chosen)))
    this.cutMembers(object, (member) => {
      const { key } = member
      if (key === 'tools' && gone && acceptedTools.length === 0) return this.drop(...tools.map(toolName))
      if (key === 'tool_choice' && choiceless) return this.drop(key)
      if (!PARTED.has(key)) return this.takes.field(key) ? false : this.drop(key)
      return this.lookInto(member)
    })
    return this.cuts
  }

  /** Inspects a field's parts. Returns true if none of them remain. */
  private lookInto({ key, start }: JsonMember): boolean {
    if (key === 'tools') this.lookAtTools(start)
    else if (key === 'output_config') return this.lookAtParts(key, start)
    else if (key === 'context_management') return this.lookAtEdits(start)
    else if (key === 'messages') this.lookAtMessages(start)
    else if (key === 'thinking') return this.lookAtThinking(start)
    else if (key === MARK && !this.takes.field(key)) return this.drop(key)
    else if (key === MARK) this.lookAtMark(start)
    else this.lookForMarks(start)
    return false
  }

  private takesTool(tool: unknown): boolean {
    const type = getToolType(tool)
    return type === undefined || this.takes.tool(type)
  }

  private lookAtTools(start: number): void {
    if (!isListAt(this.body, start)) return
    const elements = readElements(this.body, start)
    const tools = elements.map((range) => parseJsonRange(this.body, range))
    this.cut(elements, (index) => !this.takesTool(tools[index]) && this.drop(toolName(tools[index])))
    for (const [index, element] of elements.entries()) {
      if (!this.takesTool(tools[index]) || !isObjectAt(this.body, element.start)) continue
      const custom = getToolType(tools[index]) === undefined
      this.cutMembers(scanObjectMembers(this.body, element.start), ({ key, start: at }) => {
        if (key === MARK) this.lookAtMark(at)
        // Anthropic's built-in tools have further fields.
        const known = key === MARK || (!custom && !OF_ANY_TOOL.has(key)) || this.takes.field(`tools.${key}`)
        return known ? false : this.drop(`tools.${key}`)
      })
    }
  }

  private lookAtParts(name: string, start: number): boolean {
    if (!isObjectAt(this.body, start)) return false
    const object = scanObjectMembers(this.body, start)
    const goes = ({ key }: JsonMember) => !this.takes.field(`${name}.${key}`)
    if (object.members.length > 0 && object.members.every(goes)) return this.drop(name)
    this.cutMembers(object, (member) => goes(member) && this.drop(`${name}.${member.key}`))
    return false
  }

  private lookAtEdits(start: number): boolean {
    const member = isObjectAt(this.body, start)
      ? scanObjectMembers(this.body, start).members.find(({ key }) => key === 'edits')
      : undefined
    const name = 'context_management'
    if (!member || !isListAt(this.body, member.start)) return this.takes.field(name) ? false : this.drop(name)
    const elements = readElements(this.body, member.start)
    const names = elements.map(
      (range) => `${name}.edits.${asText(getMember(parseJsonRange(this.body, range), 'type'))}`,
    )
    const taken = (edit: string) => this.takes.field(name) || this.takes.field(edit)
    if (!names.some(taken)) return this.drop(name)
    this.cut(elements, (index) => !taken(names[index]!) && this.drop(names[index]!))
    return false
  }

  private lookAtMessages(start: number): void {
    if (!isListAt(this.body, start)) return
    const elements = readElements(this.body, start)
    this.cut(elements, (index) => this.lookAtMessage(elements[index]!.start))
  }

  /** Checks one message. Returns true if the message is left empty, because it only changed an option that is not taken. */
  private lookAtMessage(start: number): boolean {
    if (!isObjectAt(this.body, start)) return false
    const object = scanObjectMembers(this.body, start)
    const foreign = object.members.filter(({ key }) => OF_MESSAGES.has(key) && !this.takes.field(`messages.${key}`))
    this.drop(...foreign.map(({ key }) => `messages.${key}`))
    const content = object.members.findLast(({ key }) => key === 'content')
    if (foreign.length > 0 && isEmpty(content && parseJsonRange(this.body, content))) return true
    if (content) this.lookForMarks(content.start)
    this.cutMembers(object, (member) => foreign.includes(member))
    return false
  }

  private lookAtThinking(start: number): boolean {
    if (!this.takes.field('thinking')) return this.drop('thinking')
    if (!isObjectAt(this.body, start)) return false
    this.cutMembers(scanObjectMembers(this.body, start), (member) => {
      const { key } = member
      const name =
        key === 'display' ? `thinking.display.${asText(parseJsonRange(this.body, member))}` : `thinking.${key}`
      return WITH_BETAS.has(name) && !this.takes.field(name) && this.drop(name)
    })
    return false
  }

  /** Cache breakpoints are in blocks and in nested blocks. */
  private lookForMarks(start: number): void {
    if (isListAt(this.body, start))
      for (const element of readElements(this.body, start)) this.lookForMarks(element.start)
    if (!isObjectAt(this.body, start)) return
    for (const { key, start: at } of scanObjectMembers(this.body, start).members) {
      if (key === MARK) this.lookAtMark(at)
      else if (key === 'content' || key === 'source') this.lookForMarks(at)
    }
  }

  private lookAtMark(start: number): void {
    if (!isObjectAt(this.body, start)) return
    this.cutMembers(
      scanObjectMembers(this.body, start),
      ({ key }) => key !== 'type' && !this.takes.field(`${MARK}.${key}`) && this.drop(`${MARK}.${key}`),
    )
  }

  private cutMembers({ members }: ObjectBytes, goes: (member: JsonMember) => boolean): void {
    const ranges = members.map(({ key_start, end }) => ({ start: key_start, end }))
    this.cut(ranges, (index) => goes(members[index]!))
  }

  private cut(siblings: readonly ByteRange[], goes: (index: number) => boolean): void {
    const gone = siblings.map((_, index) => goes(index))
    if (gone.includes(true)) this.cuts.push(...findCuts(siblings, (index) => gone[index]!))
  }

  private drop(...names: string[]): true {
    for (const name of names) this.dropped.add(name)
    return true
  }
}

/** Fields whose parts are inspected. */
const PARTED = new Set(['tools', 'output_config', 'context_management', MARK, 'system', 'messages', 'thinking'])

/** Fields of system messages that need a beta. */
const OF_MESSAGES = new Set(['output_config', 'clear_at'])

/** Parts of `thinking` that need a beta. */
const WITH_BETAS = new Set(['thinking.block_binding', 'thinking.display.updates'])

/** Fields that tools of every type may have. */
const OF_ANY_TOOL = new Set(['defer_loading', 'eager_input_streaming', 'input_examples', 'allowed_callers', 'strict'])

/** Returns the type of a built-in tool without its date. */
function getToolType(tool: unknown): string | undefined {
  const type = asText(asObject(tool)?.type)
  return type === 'custom' ? undefined : type?.replace(/_\d{8}$/, '')
}

const isEmpty = (content: unknown): boolean => content === undefined || content === '' || asList(content)?.length === 0

const toolName = (tool: unknown): string => `tools.${getToolType(tool)}`

const named = (tool: unknown, name: string | undefined): boolean =>
  name !== undefined && getMember(tool, 'name') === name
