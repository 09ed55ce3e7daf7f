// Two calls of one tool, `look_up`, in every way in which servers are known to tell them.

export const A = '{"q":"{a"}'
export const B = '{"q":"b}"}'

/** A piece: of which index, with which id and name, and the arguments. */
export type Piece = { index?: number; id?: string; name?: string; args?: string; text?: string }
const a = (args: string, index?: number): Piece => ({ id: 'call_a', name: 'look_up', args, index })
const b = (args: string, index?: number): Piece => ({ id: 'call_b', name: 'look_up', args, index })

/** Deltas of a stream, each with its pieces. */
export const shapes: Record<string, Piece[][]> = {
  'as they should be': [[a('', 0)], [{ index: 0, args: A }], [b('', 1)], [{ index: 1, args: B }]],
  'without index, at once': [[a(A), b(B)]],
  'without index, behind one another': [[a(A)], [b(B)]],
  'all in place 0': [[a(A, 0)], [b(B, 0)]],
  'all in place 0, at once': [[a(A, 0), b(B, 0)]],
  'all in place 0, in pieces': [
    [a('{"q"', 0)],
    [{ index: 0, args: ':"{a"}' }],
    [b('{"q":', 0)],
    [{ index: 0, args: '"b}"}' }],
  ],
  'places from 1': [[a(A, 1)], [b(B, 2)]],
  'in turns': [
    [a('', 0), b('', 1)],
    [{ index: 0, args: '{"q":' }],
    [{ index: 1, args: '{"q":' }],
    [
      { index: 0, args: '"{a"}' },
      { index: 1, args: '"b}"}' },
    ],
  ],
  'in turns without index': [
    [a('{"q":'), b('{"q":')],
    [{ args: '"{a"}' }, { args: '"b}"}' }],
  ],
  'in turns, the second whole first': [[a('{"q":', 0)], [b(B, 1)], [{ index: 0, args: '"{a"}' }]],
  'pieces without index': [[a('{"q"')], [{ args: ':"{a"}' }], [b('{"q"')], [{ args: ':"b}"}' }]],
  'id and name in each piece': [[a('{"q"', 0)], [a(':"{a"}', 0)], [b('{"q"', 1)], [b(':"b}"}', 1)], [b('', 1)]],
  'a whole call said twice': [[a(A, 0)], [a(A, 0)], [b(B, 1)]],
  'another made up id in each piece': [
    [a('', 0)],
    [{ index: 0, id: 'x1', args: '{"q":' }],
    [{ index: 0, id: 'x2', args: '"{a"}' }],
    [b('', 1)],
    [{ index: 1, id: 'x3', args: B }],
  ],
  'without ids': [[{ index: 0, name: 'look_up', args: A }], [{ index: 1, name: 'look_up', args: B }]],
  'without ids and index': [[{ name: 'look_up', args: A }], [{ name: 'look_up', args: B }]],
  'the same id': [[a(A, 0)], [{ ...a(B, 1) }]],
  'two values in one piece': [[a(A + B, 0)]],
  'two values in pieces': [[a('{"q":"{a', 0)], [{ index: 0, args: '"} {"q"' }], [{ index: 0, args: ':"b}"}' }]],
  'the name behind the id': [
    [{ index: 0, id: 'call_a' }],
    [{ index: 0, name: 'look_up' }],
    [{ index: 0, args: A }],
    [b(B, 1)],
  ],
  'the id behind the name': [
    [{ index: 0, name: 'look_up' }],
    [{ index: 0, id: 'call_a' }],
    [{ index: 0, args: A }],
    [b(B, 1)],
  ],
  'arguments before the name': [[{ index: 0, args: '{"q":' }], [a('"{a"}', 0)], [b(B, 1)]],
  'a place for each piece': [[a('', 0)], [{ index: 1, args: '{"q":' }], [{ index: 2, args: '"{a"}' }], [b(B, 3)]],
  'text in between': [
    [a('{"q":', 0)],
    [{ text: 'one ' }],
    [{ index: 0, args: '"{a"}' }],
    [{ text: 'moment' }],
    [b(B, 1)],
  ],
}
/** Servers of typed events always say to which block or item a piece belongs, though not always which. */
export const typed = Object.entries(shapes).filter(([name]) =>
  [
    'as they should be',
    'in turns',
    'in turns, the second whole first',
    'all in place 0, in pieces',
    'text in between',
  ].includes(name),
)

const chunk = (delta: object, finish_reason: string | null = null) => ({
  ...{ id: 'r1', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason }] },
})
const toolCall = ({ index, id, name, args = '' }: Piece) => ({ index, id, function: { name, arguments: args } })
export const chatFrames = (deltas: Piece[][]): object[] => [
  ...deltas.map((pieces) =>
    chunk(pieces[0]!.text ? { content: pieces[0]!.text } : { tool_calls: pieces.map((piece) => toolCall(piece)) }),
  ),
  chunk({}, 'stop'),
]
export const tencentFrames = (deltas: Piece[][]): object[] => [
  ...deltas.map((pieces) => ({
    Id: 'r1',
    Choices: [
      {
        Delta: {
          Content: pieces[0]!.text,
          ToolCalls: pieces[0]!.text
            ? undefined
            : pieces.map(({ index, id, name, args }) => ({
                Index: index,
                Id: id,
                Function: { Name: name, Arguments: args },
              })),
        },
      },
    ],
  })),
  { Id: 'r1', Choices: [{ Delta: {}, FinishReason: 'stop' }] },
]
export const messageFrames = (deltas: Piece[][]): object[] => [
  { type: 'message_start', message: { id: 'r1', model: 'm', content: [] } },
  ...deltas
    .flat()
    .flatMap(({ index = 9, id, name, args = '', text }) => [
      ...(id ? [{ type: 'content_block_start', index, content_block: { type: 'tool_use', id, name, input: {} } }] : []),
      ...(args
        ? [{ type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json: args } }]
        : []),
      ...(text ? [{ type: 'content_block_start', index, content_block: { type: 'text', text } }] : []),
    ]),
  { type: 'message_delta', delta: { stop_reason: 'tool_use' } },
  { type: 'message_stop' },
]
export const responseFrames = (deltas: Piece[][]): object[] => [
  { type: 'response.created', response: { id: 'resp_1', model: 'm', status: 'in_progress', output: [] } },
  ...deltas
    .flat()
    .flatMap(({ index: output_index = 9, id: call_id, name, args: delta = '', text }) => [
      ...(call_id
        ? [{ type: 'response.output_item.added', output_index, item: { type: 'function_call', call_id, name } }]
        : []),
      ...(delta ? [{ type: 'response.function_call_arguments.delta', output_index, delta }] : []),
      ...(text ? [{ type: 'response.output_text.delta', output_index, content_index: 0, delta: text }] : []),
    ]),
  { type: 'response.completed', response: { id: 'resp_1', model: 'm', status: 'completed', output: [] } },
]
