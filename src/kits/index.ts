export { botKit } from './bot-kit.js'
export { gameKit } from './game-kit.js'
export { commandsOf } from './readme.js'
export { LANGUAGES, type Language, languageNamed } from './languages.js'
