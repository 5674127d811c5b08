/** What a bot of __TITLE__ may know. */
export interface View {
  __TYPES__
}

/** What it may answer. */
export type Action = __ACTION__
