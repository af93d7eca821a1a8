import { setFlagsFromString } from "node:v8";

/**
 * A process that loads this never frees single functions of WebAssembly, only whole modules. Each thread strips types
 * with WebAssembly that all threads share; V8 13.6 may free a function of it while another thread runs it, which ends the
 * process with SIGSEGV or SIGTRAP (docs/decisions/0117-crashes-of-v8.md).
 */
setFlagsFromString("--no-wasm-code-gc");
