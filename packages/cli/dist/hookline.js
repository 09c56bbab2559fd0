#!/usr/bin/env node
import { EventEmitter } from "node:events";
import childProcess, { spawn } from "node:child_process";
import path, { dirname, join, resolve } from "node:path";
import fs, { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import process$1, { stdin, stdout } from "node:process";
import { stripVTControlCharacters, styleText } from "node:util";
import { createHash, createHmac, randomBytes, randomUUID } from "node:crypto";
import { deflateSync } from "node:zlib";
import { homedir, hostname } from "node:os";
import { setTimeout as setTimeout$1 } from "node:timers/promises";
import f__default, { createInterface } from "node:readline";
// \0rolldown/runtime.js
var __create = Object.create;
var __defProp = Object.defineProperty;
var __getOwnPropDesc = Object.getOwnPropertyDescriptor;
var __getOwnPropNames = Object.getOwnPropertyNames;
var __getProtoOf = Object.getPrototypeOf;
var __hasOwnProp = Object.prototype.hasOwnProperty;
var __esmMin = (fn, res, err) => () => {
	if (err) throw err[0];
	try {
		return fn && (res = fn(fn = 0)), res;
	} catch (e) {
		throw err = [e], e;
	}
};
var __commonJSMin = (cb, mod) => () => (mod || (cb((mod = { exports: {} }).exports, mod, mod.exports), cb = null), mod.exports);
var __exportAll = (all, no_symbols) => {
	let target = {};
	for (var name in all) __defProp(target, name, {
		get: all[name],
		enumerable: true
	});
	if (!no_symbols) __defProp(target, Symbol.toStringTag, { value: "Module" });
	return target;
};
var __copyProps = (to, from, except, desc) => {
	if (from && typeof from === "object" || typeof from === "function") for (var keys = __getOwnPropNames(from), i = 0, n = keys.length, key; i < n; i++) {
		key = keys[i];
		if (!__hasOwnProp.call(to, key) && key !== except) __defProp(to, key, {
			get: ((k) => from[k]).bind(null, key),
			enumerable: !(desc = __getOwnPropDesc(from, key)) || desc.enumerable
		});
	}
	return to;
};
var __toESM = (mod, isNodeMode, target) => (target = mod != null ? __create(__getProtoOf(mod)) : {}, __copyProps(isNodeMode || !mod || !mod.__esModule || !__hasOwnProp.call(mod, "default") ? __defProp(target, "default", {
	value: mod,
	enumerable: true
}) : target, mod));
// node_modules/commander/lib/error.js
var CommanderError = class extends Error {
	constructor(exitCode, code, message) {
		super(message);
		Error.captureStackTrace(this, this.constructor);
		this.name = this.constructor.name;
		this.code = code;
		this.exitCode = exitCode;
		this.nestedError = void 0;
	}
};
var InvalidArgumentError = class extends CommanderError {
	constructor(message) {
		super(1, "commander.invalidArgument", message);
		Error.captureStackTrace(this, this.constructor);
		this.name = this.constructor.name;
	}
};
// node_modules/commander/lib/argument.js
var Argument = class {
	constructor(name, description) {
		this.description = description || "";
		this.variadic = false;
		this.parseArg = void 0;
		this.defaultValue = void 0;
		this.defaultValueDescription = void 0;
		this.argChoices = void 0;
		switch (name[0]) {
			case "<":
				this.required = true;
				this._name = name.slice(1, -1);
				break;
			case "[":
				this.required = false;
				this._name = name.slice(1, -1);
				break;
			default:
				this.required = true;
				this._name = name;
		}
		if (this._name.endsWith("...")) {
			this.variadic = true;
			this._name = this._name.slice(0, -3);
		}
	}
	name() {
		return this._name;
	}
	_collectValue(value, previous) {
		if (previous === this.defaultValue || !Array.isArray(previous)) return [value];
		previous.push(value);
		return previous;
	}
	default(value, description) {
		this.defaultValue = value;
		this.defaultValueDescription = description;
		return this;
	}
	argParser(fn) {
		this.parseArg = fn;
		return this;
	}
	choices(values) {
		this.argChoices = values.slice();
		this.parseArg = (arg, previous) => {
			if (!this.argChoices.includes(arg)) throw new InvalidArgumentError(`Allowed choices are ${this.argChoices.join(", ")}.`);
			if (this.variadic) return this._collectValue(arg, previous);
			return arg;
		};
		return this;
	}
	argRequired() {
		this.required = true;
		return this;
	}
	argOptional() {
		this.required = false;
		return this;
	}
};
function humanReadableArgName(arg) {
	const nameOutput = arg.name() + (arg.variadic === true ? "..." : "");
	return arg.required ? "<" + nameOutput + ">" : "[" + nameOutput + "]";
}
// node_modules/commander/lib/help.js
var Help = class {
	constructor() {
		this.helpWidth = void 0;
		this.minWidthToWrap = 40;
		this.sortSubcommands = false;
		this.sortOptions = false;
		this.showGlobalOptions = false;
	}
	prepareContext(contextOptions) {
		this.helpWidth = this.helpWidth ?? contextOptions.helpWidth ?? 80;
	}
	visibleCommands(cmd) {
		const visibleCommands = cmd.commands.filter((cmd) => !cmd._hidden);
		const helpCommand = cmd._getHelpCommand();
		if (helpCommand && !helpCommand._hidden) visibleCommands.push(helpCommand);
		if (this.sortSubcommands) visibleCommands.sort((a, b) => {
			return a.name().localeCompare(b.name());
		});
		return visibleCommands;
	}
	compareOptions(a, b) {
		const getSortKey = (option) => {
			return option.short ? option.short.replace(/^-/, "") : option.long.replace(/^--/, "");
		};
		return getSortKey(a).localeCompare(getSortKey(b));
	}
	visibleOptions(cmd) {
		const visibleOptions = cmd.options.filter((option) => !option.hidden);
		const helpOption = cmd._getHelpOption();
		if (helpOption && !helpOption.hidden) {
			const removeShort = helpOption.short && cmd._findOption(helpOption.short);
			const removeLong = helpOption.long && cmd._findOption(helpOption.long);
			if (!removeShort && !removeLong) visibleOptions.push(helpOption);
			else if (helpOption.long && !removeLong) visibleOptions.push(cmd.createOption(helpOption.long, helpOption.description));
			else if (helpOption.short && !removeShort) visibleOptions.push(cmd.createOption(helpOption.short, helpOption.description));
		}
		if (this.sortOptions) visibleOptions.sort(this.compareOptions);
		return visibleOptions;
	}
	visibleGlobalOptions(cmd) {
		if (!this.showGlobalOptions) return [];
		const globalOptions = [];
		for (let ancestorCmd = cmd.parent; ancestorCmd; ancestorCmd = ancestorCmd.parent) {
			const visibleOptions = ancestorCmd.options.filter((option) => !option.hidden);
			globalOptions.push(...visibleOptions);
		}
		if (this.sortOptions) globalOptions.sort(this.compareOptions);
		return globalOptions;
	}
	visibleArguments(cmd) {
		if (cmd._argsDescription) cmd.registeredArguments.forEach((argument) => {
			argument.description = argument.description || cmd._argsDescription[argument.name()] || "";
		});
		if (cmd.registeredArguments.find((argument) => argument.description)) return cmd.registeredArguments;
		return [];
	}
	subcommandTerm(cmd) {
		const args = cmd.registeredArguments.map((arg) => humanReadableArgName(arg)).join(" ");
		return cmd._name + (cmd._aliases[0] ? "|" + cmd._aliases[0] : "") + (cmd.options.length ? " [options]" : "") + (args ? " " + args : "");
	}
	optionTerm(option) {
		return option.flags;
	}
	argumentTerm(argument) {
		return argument.name();
	}
	longestSubcommandTermLength(cmd, helper) {
		return helper.visibleCommands(cmd).reduce((max, command) => {
			return Math.max(max, this.displayWidth(helper.styleSubcommandTerm(helper.subcommandTerm(command))));
		}, 0);
	}
	longestOptionTermLength(cmd, helper) {
		return helper.visibleOptions(cmd).reduce((max, option) => {
			return Math.max(max, this.displayWidth(helper.styleOptionTerm(helper.optionTerm(option))));
		}, 0);
	}
	longestGlobalOptionTermLength(cmd, helper) {
		return helper.visibleGlobalOptions(cmd).reduce((max, option) => {
			return Math.max(max, this.displayWidth(helper.styleOptionTerm(helper.optionTerm(option))));
		}, 0);
	}
	longestArgumentTermLength(cmd, helper) {
		return helper.visibleArguments(cmd).reduce((max, argument) => {
			return Math.max(max, this.displayWidth(helper.styleArgumentTerm(helper.argumentTerm(argument))));
		}, 0);
	}
	commandUsage(cmd) {
		let cmdName = cmd._name;
		if (cmd._aliases[0]) cmdName = cmdName + "|" + cmd._aliases[0];
		let ancestorCmdNames = "";
		for (let ancestorCmd = cmd.parent; ancestorCmd; ancestorCmd = ancestorCmd.parent) ancestorCmdNames = ancestorCmd.name() + " " + ancestorCmdNames;
		return ancestorCmdNames + cmdName + " " + cmd.usage();
	}
	commandDescription(cmd) {
		return cmd.description();
	}
	subcommandDescription(cmd) {
		return cmd.summary() || cmd.description();
	}
	optionDescription(option) {
		const extraInfo = [];
		if (option.argChoices) extraInfo.push(`choices: ${option.argChoices.map((choice) => JSON.stringify(choice)).join(", ")}`);
		if (option.defaultValue !== void 0) {
			if (option.required || option.optional || option.isBoolean() && typeof option.defaultValue === "boolean") extraInfo.push(`default: ${option.defaultValueDescription || JSON.stringify(option.defaultValue)}`);
		}
		if (option.presetArg !== void 0 && option.optional) extraInfo.push(`preset: ${JSON.stringify(option.presetArg)}`);
		if (option.envVar !== void 0) extraInfo.push(`env: ${option.envVar}`);
		if (extraInfo.length > 0) {
			const extraDescription = `(${extraInfo.join(", ")})`;
			if (option.description) return `${option.description} ${extraDescription}`;
			return extraDescription;
		}
		return option.description;
	}
	argumentDescription(argument) {
		const extraInfo = [];
		if (argument.argChoices) extraInfo.push(`choices: ${argument.argChoices.map((choice) => JSON.stringify(choice)).join(", ")}`);
		if (argument.defaultValue !== void 0) extraInfo.push(`default: ${argument.defaultValueDescription || JSON.stringify(argument.defaultValue)}`);
		if (extraInfo.length > 0) {
			const extraDescription = `(${extraInfo.join(", ")})`;
			if (argument.description) return `${argument.description} ${extraDescription}`;
			return extraDescription;
		}
		return argument.description;
	}
	formatItemList(heading, items, helper) {
		if (items.length === 0) return [];
		return [
			helper.styleTitle(heading),
			...items,
			""
		];
	}
	groupItems(unsortedItems, visibleItems, getGroup) {
		const result = new Map();
		unsortedItems.forEach((item) => {
			const group = getGroup(item);
			if (!result.has(group)) result.set(group, []);
		});
		visibleItems.forEach((item) => {
			const group = getGroup(item);
			if (!result.has(group)) result.set(group, []);
			result.get(group).push(item);
		});
		return result;
	}
	formatHelp(cmd, helper) {
		const termWidth = helper.padWidth(cmd, helper);
		const helpWidth = helper.helpWidth ?? 80;
		function callFormatItem(term, description) {
			return helper.formatItem(term, termWidth, description, helper);
		}
		let output = [`${helper.styleTitle("Usage:")} ${helper.styleUsage(helper.commandUsage(cmd))}`, ""];
		const commandDescription = helper.commandDescription(cmd);
		if (commandDescription.length > 0) output = output.concat([helper.boxWrap(helper.styleCommandDescription(commandDescription), helpWidth), ""]);
		const argumentList = helper.visibleArguments(cmd).map((argument) => {
			return callFormatItem(helper.styleArgumentTerm(helper.argumentTerm(argument)), helper.styleArgumentDescription(helper.argumentDescription(argument)));
		});
		output = output.concat(this.formatItemList("Arguments:", argumentList, helper));
		this.groupItems(cmd.options, helper.visibleOptions(cmd), (option) => option.helpGroupHeading ?? "Options:").forEach((options, group) => {
			const optionList = options.map((option) => {
				return callFormatItem(helper.styleOptionTerm(helper.optionTerm(option)), helper.styleOptionDescription(helper.optionDescription(option)));
			});
			output = output.concat(this.formatItemList(group, optionList, helper));
		});
		if (helper.showGlobalOptions) {
			const globalOptionList = helper.visibleGlobalOptions(cmd).map((option) => {
				return callFormatItem(helper.styleOptionTerm(helper.optionTerm(option)), helper.styleOptionDescription(helper.optionDescription(option)));
			});
			output = output.concat(this.formatItemList("Global Options:", globalOptionList, helper));
		}
		this.groupItems(cmd.commands, helper.visibleCommands(cmd), (sub) => sub.helpGroup() || "Commands:").forEach((commands, group) => {
			const commandList = commands.map((sub) => {
				return callFormatItem(helper.styleSubcommandTerm(helper.subcommandTerm(sub)), helper.styleSubcommandDescription(helper.subcommandDescription(sub)));
			});
			output = output.concat(this.formatItemList(group, commandList, helper));
		});
		return output.join("\n");
	}
	displayWidth(str) {
		return stripVTControlCharacters(str).length;
	}
	styleTitle(str) {
		return str;
	}
	styleUsage(str) {
		return str.split(" ").map((word) => {
			if (word === "[options]") return this.styleOptionText(word);
			if (word === "[command]") return this.styleSubcommandText(word);
			if (word[0] === "[" || word[0] === "<") return this.styleArgumentText(word);
			return this.styleCommandText(word);
		}).join(" ");
	}
	styleCommandDescription(str) {
		return this.styleDescriptionText(str);
	}
	styleOptionDescription(str) {
		return this.styleDescriptionText(str);
	}
	styleSubcommandDescription(str) {
		return this.styleDescriptionText(str);
	}
	styleArgumentDescription(str) {
		return this.styleDescriptionText(str);
	}
	styleDescriptionText(str) {
		return str;
	}
	styleOptionTerm(str) {
		return this.styleOptionText(str);
	}
	styleSubcommandTerm(str) {
		return str.split(" ").map((word) => {
			if (word === "[options]") return this.styleOptionText(word);
			if (word[0] === "[" || word[0] === "<") return this.styleArgumentText(word);
			return this.styleSubcommandText(word);
		}).join(" ");
	}
	styleArgumentTerm(str) {
		return this.styleArgumentText(str);
	}
	styleOptionText(str) {
		return str;
	}
	styleArgumentText(str) {
		return str;
	}
	styleSubcommandText(str) {
		return str;
	}
	styleCommandText(str) {
		return str;
	}
	padWidth(cmd, helper) {
		return Math.max(helper.longestOptionTermLength(cmd, helper), helper.longestGlobalOptionTermLength(cmd, helper), helper.longestSubcommandTermLength(cmd, helper), helper.longestArgumentTermLength(cmd, helper));
	}
	preformatted(str) {
		return /\n[^\S\r\n]/.test(str);
	}
	formatItem(term, termWidth, description, helper) {
		const itemIndent = 2;
		const itemIndentStr = " ".repeat(itemIndent);
		if (!description) return itemIndentStr + term;
		const paddedTerm = term.padEnd(termWidth + term.length - helper.displayWidth(term));
		const spacerWidth = 2;
		const remainingWidth = (this.helpWidth ?? 80) - termWidth - spacerWidth - itemIndent;
		let formattedDescription;
		if (remainingWidth < this.minWidthToWrap || helper.preformatted(description)) formattedDescription = description;
		else formattedDescription = helper.boxWrap(description, remainingWidth).replace(/\n/g, "\n" + " ".repeat(termWidth + spacerWidth));
		return itemIndentStr + paddedTerm + " ".repeat(spacerWidth) + formattedDescription.replace(/\n/g, `\n${itemIndentStr}`);
	}
	boxWrap(str, width) {
		if (width < this.minWidthToWrap) return str;
		const rawLines = str.split(/\r\n|\n/);
		const chunkPattern = /[\s]*[^\s]+/g;
		const wrappedLines = [];
		rawLines.forEach((line) => {
			const chunks = line.match(chunkPattern);
			if (chunks === null) {
				wrappedLines.push("");
				return;
			}
			let sumChunks = [chunks.shift()];
			let sumWidth = this.displayWidth(sumChunks[0]);
			chunks.forEach((chunk) => {
				const visibleWidth = this.displayWidth(chunk);
				if (sumWidth + visibleWidth <= width) {
					sumChunks.push(chunk);
					sumWidth += visibleWidth;
					return;
				}
				wrappedLines.push(sumChunks.join(""));
				const nextChunk = chunk.trimStart();
				sumChunks = [nextChunk];
				sumWidth = this.displayWidth(nextChunk);
			});
			wrappedLines.push(sumChunks.join(""));
		});
		return wrappedLines.join("\n");
	}
};
// node_modules/commander/lib/option.js
var Option = class {
	constructor(flags, description) {
		this.flags = flags;
		this.description = description || "";
		this.required = flags.includes("<");
		this.optional = flags.includes("[");
		this.variadic = /\w\.\.\.[>\]]$/.test(flags);
		this.mandatory = false;
		const optionFlags = splitOptionFlags(flags);
		this.short = optionFlags.shortFlag;
		this.long = optionFlags.longFlag;
		this.negate = false;
		if (this.long) this.negate = this.long.startsWith("--no-");
		this.defaultValue = void 0;
		this.defaultValueDescription = void 0;
		this.presetArg = void 0;
		this.envVar = void 0;
		this.parseArg = void 0;
		this.hidden = false;
		this.argChoices = void 0;
		this.conflictsWith = [];
		this.implied = void 0;
		this.helpGroupHeading = void 0;
	}
	default(value, description) {
		this.defaultValue = value;
		this.defaultValueDescription = description;
		return this;
	}
	preset(arg) {
		this.presetArg = arg;
		return this;
	}
	conflicts(names) {
		this.conflictsWith = this.conflictsWith.concat(names);
		return this;
	}
	implies(impliedOptionValues) {
		let newImplied = impliedOptionValues;
		if (typeof impliedOptionValues === "string") newImplied = { [impliedOptionValues]: true };
		this.implied = Object.assign(this.implied || {}, newImplied);
		return this;
	}
	env(name) {
		this.envVar = name;
		return this;
	}
	argParser(fn) {
		this.parseArg = fn;
		return this;
	}
	makeOptionMandatory(mandatory = true) {
		this.mandatory = !!mandatory;
		return this;
	}
	hideHelp(hide = true) {
		this.hidden = !!hide;
		return this;
	}
	_collectValue(value, previous) {
		if (previous === this.defaultValue || !Array.isArray(previous)) return [value];
		previous.push(value);
		return previous;
	}
	choices(values) {
		this.argChoices = values.slice();
		this.parseArg = (arg, previous) => {
			if (!this.argChoices.includes(arg)) throw new InvalidArgumentError(`Allowed choices are ${this.argChoices.join(", ")}.`);
			if (this.variadic) return this._collectValue(arg, previous);
			return arg;
		};
		return this;
	}
	name() {
		if (this.long) return this.long.replace(/^--/, "");
		return this.short.replace(/^-/, "");
	}
	attributeName() {
		if (this.negate) return camelcase(this.name().replace(/^no-/, ""));
		return camelcase(this.name());
	}
	helpGroup(heading) {
		this.helpGroupHeading = heading;
		return this;
	}
	is(arg) {
		return this.short === arg || this.long === arg;
	}
	isBoolean() {
		return !this.required && !this.optional && !this.negate;
	}
};
var DualOptions = class {
	constructor(options) {
		this.positiveOptions = new Map();
		this.negativeOptions = new Map();
		this.dualOptions = new Set();
		options.forEach((option) => {
			if (option.negate) this.negativeOptions.set(option.attributeName(), option);
			else this.positiveOptions.set(option.attributeName(), option);
		});
		this.negativeOptions.forEach((value, key) => {
			if (this.positiveOptions.has(key)) this.dualOptions.add(key);
		});
	}
	valueFromOption(value, option) {
		const optionKey = option.attributeName();
		if (!this.dualOptions.has(optionKey)) return true;
		const preset = this.negativeOptions.get(optionKey).presetArg;
		const negativeValue = preset !== void 0 ? preset : false;
		return option.negate === (negativeValue === value);
	}
};
function camelcase(str) {
	return str.split("-").reduce((str, word) => {
		return str + word[0].toUpperCase() + word.slice(1);
	});
}
function splitOptionFlags(flags) {
	let shortFlag;
	let longFlag;
	const shortFlagExp = /^-[^-]$/;
	const longFlagExp = /^--[^-]/;
	const flagParts = flags.split(/[ |,]+/).concat("guard");
	if (shortFlagExp.test(flagParts[0])) shortFlag = flagParts.shift();
	if (longFlagExp.test(flagParts[0])) longFlag = flagParts.shift();
	if (!shortFlag && shortFlagExp.test(flagParts[0])) shortFlag = flagParts.shift();
	if (!shortFlag && longFlagExp.test(flagParts[0])) {
		shortFlag = longFlag;
		longFlag = flagParts.shift();
	}
	if (flagParts[0].startsWith("-")) {
		const unsupportedFlag = flagParts[0];
		const baseError = `option creation failed due to '${unsupportedFlag}' in option flags '${flags}'`;
		if (/^-[^-][^-]/.test(unsupportedFlag)) throw new Error(`${baseError}
- a short flag is a single dash and a single character
  - either use a single dash and a single character (for a short flag)
  - or use a double dash for a long option (and can have two, like '--ws, --workspace')`);
		if (shortFlagExp.test(unsupportedFlag)) throw new Error(`${baseError}
- too many short flags`);
		if (longFlagExp.test(unsupportedFlag)) throw new Error(`${baseError}
- too many long flags`);
		throw new Error(`${baseError}
- unrecognised flag format`);
	}
	if (shortFlag === void 0 && longFlag === void 0) throw new Error(`option creation failed due to no flags found in '${flags}'.`);
	return {
		shortFlag,
		longFlag
	};
}
// node_modules/commander/lib/suggestSimilar.js
const maxDistance = 3;
function editDistance(a, b) {
	if (Math.abs(a.length - b.length) > maxDistance) return Math.max(a.length, b.length);
	const d = [];
	for (let i = 0; i <= a.length; i++) d[i] = [i];
	for (let j = 0; j <= b.length; j++) d[0][j] = j;
	for (let j = 1; j <= b.length; j++) for (let i = 1; i <= a.length; i++) {
		let cost;
		if (a[i - 1] === b[j - 1]) cost = 0;
		else cost = 1;
		d[i][j] = Math.min(d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + cost);
		if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) d[i][j] = Math.min(d[i][j], d[i - 2][j - 2] + 1);
	}
	return d[a.length][b.length];
}
function suggestSimilar(word, candidates) {
	if (!candidates || candidates.length === 0) return "";
	candidates = Array.from(new Set(candidates));
	const searchingOptions = word.startsWith("--");
	if (searchingOptions) {
		word = word.slice(2);
		candidates = candidates.map((candidate) => candidate.slice(2));
	}
	let similar = [];
	let bestDistance = maxDistance;
	const minSimilarity = .4;
	candidates.forEach((candidate) => {
		if (candidate.length <= 1) return;
		const distance = editDistance(word, candidate);
		const length = Math.max(word.length, candidate.length);
		if ((length - distance) / length > minSimilarity) {
			if (distance < bestDistance) {
				bestDistance = distance;
				similar = [candidate];
			} else if (distance === bestDistance) similar.push(candidate);
		}
	});
	similar.sort((a, b) => a.localeCompare(b));
	if (searchingOptions) similar = similar.map((candidate) => `--${candidate}`);
	if (similar.length > 1) return `\n(Did you mean one of ${similar.join(", ")}?)`;
	if (similar.length === 1) return `\n(Did you mean ${similar[0]}?)`;
	return "";
}
// node_modules/commander/lib/command.js
var Command = class Command extends EventEmitter {
	constructor(name) {
		super();
		this.commands = [];
		this.options = [];
		this.parent = null;
		this._allowUnknownOption = false;
		this._allowExcessArguments = false;
		this.registeredArguments = [];
		this._args = this.registeredArguments;
		this.args = [];
		this.rawArgs = [];
		this.processedArgs = [];
		this._scriptPath = null;
		this._name = name || "";
		this._optionValues = {};
		this._optionValueSources = {};
		this._storeOptionsAsProperties = false;
		this._actionHandler = null;
		this._executableHandler = false;
		this._executableFile = null;
		this._executableDir = null;
		this._defaultCommandName = null;
		this._exitCallback = null;
		this._aliases = [];
		this._combineFlagAndOptionalValue = true;
		this._description = "";
		this._summary = "";
		this._argsDescription = void 0;
		this._enablePositionalOptions = false;
		this._passThroughOptions = false;
		this._lifeCycleHooks = {};
		this._showHelpAfterError = false;
		this._showSuggestionAfterError = true;
		this._savedState = null;
		this._outputConfiguration = {
			writeOut: (str) => process$1.stdout.write(str),
			writeErr: (str) => process$1.stderr.write(str),
			outputError: (str, write) => write(str),
			getOutHelpWidth: () => process$1.stdout.isTTY ? process$1.stdout.columns : void 0,
			getErrHelpWidth: () => process$1.stderr.isTTY ? process$1.stderr.columns : void 0,
			getOutHasColors: () => useColor() ?? (process$1.stdout.isTTY && process$1.stdout.hasColors?.()),
			getErrHasColors: () => useColor() ?? (process$1.stderr.isTTY && process$1.stderr.hasColors?.()),
			stripColor: (str) => stripVTControlCharacters(str)
		};
		this._hidden = false;
		this._helpOption = void 0;
		this._addImplicitHelpCommand = void 0;
		this._helpCommand = void 0;
		this._helpConfiguration = {};
		this._helpGroupHeading = void 0;
		this._defaultCommandGroup = void 0;
		this._defaultOptionGroup = void 0;
	}
	copyInheritedSettings(sourceCommand) {
		this._outputConfiguration = sourceCommand._outputConfiguration;
		this._helpOption = sourceCommand._helpOption;
		this._helpCommand = sourceCommand._helpCommand;
		this._helpConfiguration = sourceCommand._helpConfiguration;
		this._exitCallback = sourceCommand._exitCallback;
		this._storeOptionsAsProperties = sourceCommand._storeOptionsAsProperties;
		this._combineFlagAndOptionalValue = sourceCommand._combineFlagAndOptionalValue;
		this._allowExcessArguments = sourceCommand._allowExcessArguments;
		this._enablePositionalOptions = sourceCommand._enablePositionalOptions;
		this._showHelpAfterError = sourceCommand._showHelpAfterError;
		this._showSuggestionAfterError = sourceCommand._showSuggestionAfterError;
		return this;
	}
	_getCommandAndAncestors() {
		const result = [];
		for (let command = this; command; command = command.parent) result.push(command);
		return result;
	}
	command(nameAndArgs, actionOptsOrExecDesc, execOpts) {
		let desc = actionOptsOrExecDesc;
		let opts = execOpts;
		if (typeof desc === "object" && desc !== null) {
			opts = desc;
			desc = null;
		}
		opts = opts || {};
		const [, name, args] = nameAndArgs.match(/([^ ]+) *(.*)/);
		const cmd = this.createCommand(name);
		if (desc) {
			cmd.description(desc);
			cmd._executableHandler = true;
		}
		if (opts.isDefault) this._defaultCommandName = cmd._name;
		cmd._hidden = !!(opts.noHelp || opts.hidden);
		cmd._executableFile = opts.executableFile || null;
		if (args) cmd.arguments(args);
		this._registerCommand(cmd);
		cmd.parent = this;
		cmd.copyInheritedSettings(this);
		if (desc) return this;
		return cmd;
	}
	createCommand(name) {
		return new Command(name);
	}
	createHelp() {
		return Object.assign(new Help(), this.configureHelp());
	}
	configureHelp(configuration) {
		if (configuration === void 0) return this._helpConfiguration;
		this._helpConfiguration = configuration;
		return this;
	}
	configureOutput(configuration) {
		if (configuration === void 0) return this._outputConfiguration;
		this._outputConfiguration = {
			...this._outputConfiguration,
			...configuration
		};
		return this;
	}
	showHelpAfterError(displayHelp = true) {
		if (typeof displayHelp !== "string") displayHelp = !!displayHelp;
		this._showHelpAfterError = displayHelp;
		return this;
	}
	showSuggestionAfterError(displaySuggestion = true) {
		this._showSuggestionAfterError = !!displaySuggestion;
		return this;
	}
	addCommand(cmd, opts) {
		if (!cmd._name) throw new Error(`Command passed to .addCommand() must have a name
- specify the name in Command constructor or using .name()`);
		opts = opts || {};
		if (opts.isDefault) this._defaultCommandName = cmd._name;
		if (opts.noHelp || opts.hidden) cmd._hidden = true;
		this._registerCommand(cmd);
		cmd.parent = this;
		cmd._checkForBrokenPassThrough();
		return this;
	}
	createArgument(name, description) {
		return new Argument(name, description);
	}
	argument(name, description, parseArg, defaultValue) {
		const argument = this.createArgument(name, description);
		if (typeof parseArg === "function") argument.default(defaultValue).argParser(parseArg);
		else argument.default(parseArg);
		this.addArgument(argument);
		return this;
	}
	arguments(names) {
		names.trim().split(/ +/).forEach((detail) => {
			this.argument(detail);
		});
		return this;
	}
	addArgument(argument) {
		const previousArgument = this.registeredArguments.slice(-1)[0];
		if (previousArgument?.variadic) throw new Error(`only the last argument can be variadic '${previousArgument.name()}'`);
		if (argument.required && argument.defaultValue !== void 0 && argument.parseArg === void 0) throw new Error(`a default value for a required argument is never used: '${argument.name()}'`);
		this.registeredArguments.push(argument);
		return this;
	}
	helpCommand(enableOrNameAndArgs, description) {
		if (typeof enableOrNameAndArgs === "boolean") {
			this._addImplicitHelpCommand = enableOrNameAndArgs;
			if (enableOrNameAndArgs && this._defaultCommandGroup) this._initCommandGroup(this._getHelpCommand());
			return this;
		}
		const [, helpName, helpArgs] = (enableOrNameAndArgs ?? "help [command]").match(/([^ ]+) *(.*)/);
		const helpDescription = description ?? "display help for command";
		const helpCommand = this.createCommand(helpName);
		helpCommand.helpOption(false);
		if (helpArgs) helpCommand.arguments(helpArgs);
		if (helpDescription) helpCommand.description(helpDescription);
		this._addImplicitHelpCommand = true;
		this._helpCommand = helpCommand;
		if (enableOrNameAndArgs || description) this._initCommandGroup(helpCommand);
		return this;
	}
	addHelpCommand(helpCommand, deprecatedDescription) {
		if (typeof helpCommand !== "object") {
			this.helpCommand(helpCommand, deprecatedDescription);
			return this;
		}
		this._addImplicitHelpCommand = true;
		this._helpCommand = helpCommand;
		this._initCommandGroup(helpCommand);
		return this;
	}
	_getHelpCommand() {
		if (this._addImplicitHelpCommand ?? (this.commands.length && !this._actionHandler && !this._findCommand("help"))) {
			if (this._helpCommand === void 0) this.helpCommand(void 0, void 0);
			return this._helpCommand;
		}
		return null;
	}
	hook(event, listener) {
		const allowedValues = [
			"preSubcommand",
			"preAction",
			"postAction"
		];
		if (!allowedValues.includes(event)) throw new Error(`Unexpected value for event passed to hook : '${event}'.
Expecting one of '${allowedValues.join("', '")}'`);
		if (this._lifeCycleHooks[event]) this._lifeCycleHooks[event].push(listener);
		else this._lifeCycleHooks[event] = [listener];
		return this;
	}
	exitOverride(fn) {
		if (fn) this._exitCallback = fn;
		else this._exitCallback = (err) => {
			if (err.code !== "commander.executeSubCommandAsync") throw err;
		};
		return this;
	}
	_exit(exitCode, code, message) {
		if (this._exitCallback) this._exitCallback(new CommanderError(exitCode, code, message));
		process$1.exit(exitCode);
	}
	action(fn) {
		const listener = (args) => {
			const expectedArgsCount = this.registeredArguments.length;
			const actionArgs = args.slice(0, expectedArgsCount);
			if (this._storeOptionsAsProperties) actionArgs[expectedArgsCount] = this;
			else actionArgs[expectedArgsCount] = this.opts();
			actionArgs.push(this);
			return fn.apply(this, actionArgs);
		};
		this._actionHandler = listener;
		return this;
	}
	createOption(flags, description) {
		return new Option(flags, description);
	}
	_callParseArg(target, value, previous, invalidArgumentMessage) {
		try {
			return target.parseArg(value, previous);
		} catch (err) {
			if (err.code === "commander.invalidArgument") {
				const message = `${invalidArgumentMessage} ${err.message}`;
				this.error(message, {
					exitCode: err.exitCode,
					code: err.code
				});
			}
			throw err;
		}
	}
	_registerOption(option) {
		const matchingOption = option.short && this._findOption(option.short) || option.long && this._findOption(option.long);
		if (matchingOption) {
			const matchingFlag = option.long && this._findOption(option.long) ? option.long : option.short;
			throw new Error(`Cannot add option '${option.flags}'${this._name && ` to command '${this._name}'`} due to conflicting flag '${matchingFlag}'
-  already used by option '${matchingOption.flags}'`);
		}
		this._initOptionGroup(option);
		this.options.push(option);
	}
	_registerCommand(command) {
		const knownBy = (cmd) => {
			return [cmd.name()].concat(cmd.aliases());
		};
		const alreadyUsed = knownBy(command).find((name) => this._findCommand(name));
		if (alreadyUsed) {
			const existingCmd = knownBy(this._findCommand(alreadyUsed)).join("|");
			const newCmd = knownBy(command).join("|");
			throw new Error(`cannot add command '${newCmd}' as already have command '${existingCmd}'`);
		}
		this._initCommandGroup(command);
		this.commands.push(command);
	}
	addOption(option) {
		this._registerOption(option);
		const oname = option.name();
		const name = option.attributeName();
		if (option.defaultValue !== void 0) this.setOptionValueWithSource(name, option.defaultValue, "default");
		const handleOptionValue = (val, invalidValueMessage, valueSource) => {
			if (val == null && option.presetArg !== void 0) val = option.presetArg;
			const oldValue = this.getOptionValue(name);
			if (val !== null && option.parseArg) val = this._callParseArg(option, val, oldValue, invalidValueMessage);
			else if (val !== null && option.variadic) val = option._collectValue(val, oldValue);
			if (val == null) {
				if (option.negate) val = false;
				else if (option.isBoolean() || option.optional) val = true;
				else val = "";
			}
			this.setOptionValueWithSource(name, val, valueSource);
		};
		this.on("option:" + oname, (val) => {
			const invalidValueMessage = `error: option '${option.flags}' argument '${val}' is invalid.`;
			handleOptionValue(val, invalidValueMessage, "cli");
		});
		if (option.envVar) this.on("optionEnv:" + oname, (val) => {
			const invalidValueMessage = `error: option '${option.flags}' value '${val}' from env '${option.envVar}' is invalid.`;
			handleOptionValue(val, invalidValueMessage, "env");
		});
		return this;
	}
	_optionEx(config, flags, description, fn, defaultValue) {
		if (typeof flags === "object" && flags instanceof Option) throw new Error("To add an Option object use addOption() instead of option() or requiredOption()");
		const option = this.createOption(flags, description);
		option.makeOptionMandatory(!!config.mandatory);
		if (typeof fn === "function") option.default(defaultValue).argParser(fn);
		else if (fn instanceof RegExp) {
			const regex = fn;
			fn = (val, def) => {
				const m = regex.exec(val);
				return m ? m[0] : def;
			};
			option.default(defaultValue).argParser(fn);
		} else option.default(fn);
		return this.addOption(option);
	}
	option(flags, description, parseArg, defaultValue) {
		return this._optionEx({}, flags, description, parseArg, defaultValue);
	}
	requiredOption(flags, description, parseArg, defaultValue) {
		return this._optionEx({ mandatory: true }, flags, description, parseArg, defaultValue);
	}
	combineFlagAndOptionalValue(combine = true) {
		this._combineFlagAndOptionalValue = !!combine;
		return this;
	}
	allowUnknownOption(allowUnknown = true) {
		this._allowUnknownOption = !!allowUnknown;
		return this;
	}
	allowExcessArguments(allowExcess = true) {
		this._allowExcessArguments = !!allowExcess;
		return this;
	}
	enablePositionalOptions(positional = true) {
		this._enablePositionalOptions = !!positional;
		return this;
	}
	passThroughOptions(passThrough = true) {
		this._passThroughOptions = !!passThrough;
		this._checkForBrokenPassThrough();
		return this;
	}
	_checkForBrokenPassThrough() {
		if (this.parent && this._passThroughOptions && !this.parent._enablePositionalOptions) throw new Error(`passThroughOptions cannot be used for '${this._name}' without turning on enablePositionalOptions for parent command(s)`);
	}
	storeOptionsAsProperties(storeAsProperties = true) {
		if (this.options.length) throw new Error("call .storeOptionsAsProperties() before adding options");
		if (Object.keys(this._optionValues).length) throw new Error("call .storeOptionsAsProperties() before setting option values");
		this._storeOptionsAsProperties = !!storeAsProperties;
		return this;
	}
	getOptionValue(key) {
		if (this._storeOptionsAsProperties) return this[key];
		return this._optionValues[key];
	}
	setOptionValue(key, value) {
		return this.setOptionValueWithSource(key, value, void 0);
	}
	setOptionValueWithSource(key, value, source) {
		if (this._storeOptionsAsProperties) this[key] = value;
		else this._optionValues[key] = value;
		this._optionValueSources[key] = source;
		return this;
	}
	getOptionValueSource(key) {
		return this._optionValueSources[key];
	}
	getOptionValueSourceWithGlobals(key) {
		let source;
		this._getCommandAndAncestors().forEach((cmd) => {
			if (cmd.getOptionValueSource(key) !== void 0) source = cmd.getOptionValueSource(key);
		});
		return source;
	}
	_prepareUserArgs(argv, parseOptions) {
		if (argv !== void 0 && !Array.isArray(argv)) throw new Error("first parameter to parse must be array or undefined");
		parseOptions = parseOptions || {};
		if (argv === void 0 && parseOptions.from === void 0) {
			if (process$1.versions?.electron) parseOptions.from = "electron";
			const execArgv = process$1.execArgv ?? [];
			if (execArgv.includes("-e") || execArgv.includes("--eval") || execArgv.includes("-p") || execArgv.includes("--print")) parseOptions.from = "eval";
		}
		if (argv === void 0) argv = process$1.argv;
		this.rawArgs = argv.slice();
		let userArgs;
		switch (parseOptions.from) {
			case void 0:
			case "node":
				this._scriptPath = argv[1];
				userArgs = argv.slice(2);
				break;
			case "electron":
				if (process$1.defaultApp) {
					this._scriptPath = argv[1];
					userArgs = argv.slice(2);
				} else userArgs = argv.slice(1);
				break;
			case "user":
				userArgs = argv.slice(0);
				break;
			case "eval":
				userArgs = argv.slice(1);
				break;
			default: throw new Error(`unexpected parse option { from: '${parseOptions.from}' }`);
		}
		if (!this._name && this._scriptPath) this.nameFromFilename(this._scriptPath);
		this._name = this._name || "program";
		return userArgs;
	}
	parse(argv, parseOptions) {
		this._prepareForParse();
		const userArgs = this._prepareUserArgs(argv, parseOptions);
		this._parseCommand([], userArgs);
		return this;
	}
	async parseAsync(argv, parseOptions) {
		this._prepareForParse();
		const userArgs = this._prepareUserArgs(argv, parseOptions);
		await this._parseCommand([], userArgs);
		return this;
	}
	_prepareForParse() {
		if (this._savedState === null) {
			this.options.filter((option) => option.negate && option.defaultValue === void 0 && this.getOptionValue(option.attributeName()) === void 0).forEach((option) => {
				const positiveLongFlag = option.long.replace(/^--no-/, "--");
				if (!this._findOption(positiveLongFlag)) this.setOptionValueWithSource(option.attributeName(), true, "default");
			});
			this.saveStateBeforeParse();
		} else this.restoreStateBeforeParse();
	}
	saveStateBeforeParse() {
		this._savedState = {
			_name: this._name,
			_optionValues: { ...this._optionValues },
			_optionValueSources: { ...this._optionValueSources }
		};
	}
	restoreStateBeforeParse() {
		if (this._storeOptionsAsProperties) throw new Error(`Can not call parse again when storeOptionsAsProperties is true.
- either make a new Command for each call to parse, or stop storing options as properties`);
		this._name = this._savedState._name;
		this._scriptPath = null;
		this.rawArgs = [];
		this._optionValues = { ...this._savedState._optionValues };
		this._optionValueSources = { ...this._savedState._optionValueSources };
		this.args = [];
		this.processedArgs = [];
	}
	_checkForMissingExecutable(executableFile, executableDir, subcommandName) {
		if (fs.existsSync(executableFile)) return;
		const executableMissing = `'${executableFile}' does not exist
 - if '${subcommandName}' is not meant to be an executable command, remove description parameter from '.command()' and use '.description()' instead
 - if the default executable name is not suitable, use the executableFile option to supply a custom name or path
 - ${executableDir ? `searched for local subcommand relative to directory '${executableDir}'` : "no directory for search for local subcommand, use .executableDir() to supply a custom directory"}`;
		throw new Error(executableMissing);
	}
	_executeSubCommand(subcommand, args) {
		args = args.slice();
		const sourceExt = [
			".js",
			".ts",
			".tsx",
			".mjs",
			".cjs"
		];
		function findFile(baseDir, baseName) {
			const localBin = path.resolve(baseDir, baseName);
			if (fs.existsSync(localBin)) return localBin;
			if (sourceExt.includes(path.extname(baseName))) return void 0;
			const foundExt = sourceExt.find((ext) => fs.existsSync(`${localBin}${ext}`));
			if (foundExt) return `${localBin}${foundExt}`;
		}
		this._checkForMissingMandatoryOptions();
		this._checkForConflictingOptions();
		let executableFile = subcommand._executableFile || `${this._name}-${subcommand._name}`;
		let executableDir = this._executableDir || "";
		if (this._scriptPath) {
			let resolvedScriptPath;
			try {
				resolvedScriptPath = fs.realpathSync(this._scriptPath);
			} catch {
				resolvedScriptPath = this._scriptPath;
			}
			executableDir = path.resolve(path.dirname(resolvedScriptPath), executableDir);
		}
		if (executableDir) {
			let localFile = findFile(executableDir, executableFile);
			if (!localFile && !subcommand._executableFile && this._scriptPath) {
				const legacyName = path.basename(this._scriptPath, path.extname(this._scriptPath));
				if (legacyName !== this._name) localFile = findFile(executableDir, `${legacyName}-${subcommand._name}`);
			}
			executableFile = localFile || executableFile;
		}
		const launchWithNode = sourceExt.includes(path.extname(executableFile));
		let proc;
		if (process$1.platform !== "win32") {
			if (launchWithNode) {
				args.unshift(executableFile);
				args = incrementNodeInspectorPort(process$1.execArgv).concat(args);
				proc = childProcess.spawn(process$1.argv[0], args, { stdio: "inherit" });
			} else proc = childProcess.spawn(executableFile, args, { stdio: "inherit" });
		} else {
			this._checkForMissingExecutable(executableFile, executableDir, subcommand._name);
			args.unshift(executableFile);
			args = incrementNodeInspectorPort(process$1.execArgv).concat(args);
			proc = childProcess.spawn(process$1.execPath, args, { stdio: "inherit" });
		}
		if (!proc.killed) [
			"SIGUSR1",
			"SIGUSR2",
			"SIGTERM",
			"SIGINT",
			"SIGHUP"
		].forEach((signal) => {
			process$1.on(signal, () => {
				if (proc.killed === false && proc.exitCode === null) proc.kill(signal);
			});
		});
		const exitCallback = this._exitCallback;
		proc.on("close", (code) => {
			code = code ?? 1;
			if (!exitCallback) process$1.exit(code);
			else exitCallback(new CommanderError(code, "commander.executeSubCommandAsync", "(close)"));
		});
		proc.on("error", (err) => {
			if (err.code === "ENOENT") this._checkForMissingExecutable(executableFile, executableDir, subcommand._name);
			else if (err.code === "EACCES") throw new Error(`'${executableFile}' not executable`);
			if (!exitCallback) process$1.exit(1);
			else {
				const wrappedError = new CommanderError(1, "commander.executeSubCommandAsync", "(error)");
				wrappedError.nestedError = err;
				exitCallback(wrappedError);
			}
		});
		this.runningCommand = proc;
	}
	_dispatchSubcommand(commandName, operands, unknown) {
		const subCommand = this._findCommand(commandName);
		if (!subCommand) this.help({ error: true });
		subCommand._prepareForParse();
		let promiseChain;
		promiseChain = this._chainOrCallSubCommandHook(promiseChain, subCommand, "preSubcommand");
		promiseChain = this._chainOrCall(promiseChain, () => {
			if (subCommand._executableHandler) this._executeSubCommand(subCommand, operands.concat(unknown));
			else return subCommand._parseCommand(operands, unknown);
		});
		return promiseChain;
	}
	_dispatchHelpCommand(subcommandName) {
		if (!subcommandName) this.help();
		const subCommand = this._findCommand(subcommandName);
		if (subCommand && !subCommand._executableHandler) subCommand.help();
		return this._dispatchSubcommand(subcommandName, [], [this._getHelpOption()?.long ?? this._getHelpOption()?.short ?? "--help"]);
	}
	_checkNumberOfArguments() {
		this.registeredArguments.forEach((arg, i) => {
			if (arg.required && this.args[i] == null) this.missingArgument(arg.name());
		});
		if (this.registeredArguments.length > 0 && this.registeredArguments[this.registeredArguments.length - 1].variadic) return;
		if (this.args.length > this.registeredArguments.length) this._excessArguments(this.args);
	}
	_processArguments() {
		const myParseArg = (argument, value, previous) => {
			let parsedValue = value;
			if (value !== null && argument.parseArg) {
				const invalidValueMessage = `error: command-argument value '${value}' is invalid for argument '${argument.name()}'.`;
				parsedValue = this._callParseArg(argument, value, previous, invalidValueMessage);
			}
			return parsedValue;
		};
		this._checkNumberOfArguments();
		const processedArgs = [];
		this.registeredArguments.forEach((declaredArg, index) => {
			let value = declaredArg.defaultValue;
			if (declaredArg.variadic) {
				if (index < this.args.length) {
					value = this.args.slice(index);
					if (declaredArg.parseArg) value = value.reduce((processed, v) => {
						return myParseArg(declaredArg, v, processed);
					}, declaredArg.defaultValue);
				} else if (value === void 0) value = [];
			} else if (index < this.args.length) {
				value = this.args[index];
				if (declaredArg.parseArg) value = myParseArg(declaredArg, value, declaredArg.defaultValue);
			}
			processedArgs[index] = value;
		});
		this.processedArgs = processedArgs;
	}
	_chainOrCall(promise, fn) {
		if (promise?.then && typeof promise.then === "function") return promise.then(() => fn());
		return fn();
	}
	_chainOrCallHooks(promise, event) {
		let result = promise;
		const hooks = [];
		this._getCommandAndAncestors().reverse().filter((cmd) => cmd._lifeCycleHooks[event] !== void 0).forEach((hookedCommand) => {
			hookedCommand._lifeCycleHooks[event].forEach((callback) => {
				hooks.push({
					hookedCommand,
					callback
				});
			});
		});
		if (event === "postAction") hooks.reverse();
		hooks.forEach((hookDetail) => {
			result = this._chainOrCall(result, () => {
				return hookDetail.callback(hookDetail.hookedCommand, this);
			});
		});
		return result;
	}
	_chainOrCallSubCommandHook(promise, subCommand, event) {
		let result = promise;
		if (this._lifeCycleHooks[event] !== void 0) this._lifeCycleHooks[event].forEach((hook) => {
			result = this._chainOrCall(result, () => {
				return hook(this, subCommand);
			});
		});
		return result;
	}
	_parseCommand(operands, unknown) {
		const parsed = this.parseOptions(unknown);
		this._parseOptionsEnv();
		this._parseOptionsImplied();
		operands = operands.concat(parsed.operands);
		unknown = parsed.unknown;
		this.args = operands.concat(unknown);
		if (operands && this._findCommand(operands[0])) return this._dispatchSubcommand(operands[0], operands.slice(1), unknown);
		if (this._getHelpCommand() && operands[0] === this._getHelpCommand().name()) return this._dispatchHelpCommand(operands[1]);
		if (this._defaultCommandName) {
			this._outputHelpIfRequested(unknown);
			return this._dispatchSubcommand(this._defaultCommandName, operands, unknown);
		}
		if (this.commands.length && this.args.length === 0 && !this._actionHandler && !this._defaultCommandName) this.help({ error: true });
		this._outputHelpIfRequested(parsed.unknown);
		this._checkForMissingMandatoryOptions();
		this._checkForConflictingOptions();
		const checkForUnknownOptions = () => {
			if (parsed.unknown.length > 0) this.unknownOption(parsed.unknown[0]);
		};
		const commandEvent = `command:${this.name()}`;
		if (this._actionHandler) {
			checkForUnknownOptions();
			this._processArguments();
			let promiseChain;
			promiseChain = this._chainOrCallHooks(promiseChain, "preAction");
			promiseChain = this._chainOrCall(promiseChain, () => this._actionHandler(this.processedArgs));
			if (this.parent) promiseChain = this._chainOrCall(promiseChain, () => {
				this.parent.emit(commandEvent, operands, unknown);
			});
			promiseChain = this._chainOrCallHooks(promiseChain, "postAction");
			return promiseChain;
		}
		if (this.parent?.listenerCount(commandEvent)) {
			checkForUnknownOptions();
			this._processArguments();
			this.parent.emit(commandEvent, operands, unknown);
		} else if (operands.length) {
			if (this._findCommand("*")) return this._dispatchSubcommand("*", operands, unknown);
			if (this.listenerCount("command:*")) this.emit("command:*", operands, unknown);
			else if (this.commands.length) this.unknownCommand();
			else {
				checkForUnknownOptions();
				this._processArguments();
			}
		} else if (this.commands.length) {
			checkForUnknownOptions();
			this.help({ error: true });
		} else {
			checkForUnknownOptions();
			this._processArguments();
		}
	}
	_findCommand(name) {
		if (!name) return void 0;
		return this.commands.find((cmd) => cmd._name === name || cmd._aliases.includes(name));
	}
	_findOption(arg) {
		return this.options.find((option) => option.is(arg));
	}
	_checkForMissingMandatoryOptions() {
		this._getCommandAndAncestors().forEach((cmd) => {
			cmd.options.forEach((anOption) => {
				if (anOption.mandatory && cmd.getOptionValue(anOption.attributeName()) === void 0) cmd.missingMandatoryOptionValue(anOption);
			});
		});
	}
	_checkForConflictingLocalOptions() {
		const definedNonDefaultOptions = this.options.filter((option) => {
			const optionKey = option.attributeName();
			if (this.getOptionValue(optionKey) === void 0) return false;
			return this.getOptionValueSource(optionKey) !== "default";
		});
		definedNonDefaultOptions.filter((option) => option.conflictsWith.length > 0).forEach((option) => {
			const conflictingAndDefined = definedNonDefaultOptions.find((defined) => option.conflictsWith.includes(defined.attributeName()));
			if (conflictingAndDefined) this._conflictingOption(option, conflictingAndDefined);
		});
	}
	_checkForConflictingOptions() {
		this._getCommandAndAncestors().forEach((cmd) => {
			cmd._checkForConflictingLocalOptions();
		});
	}
	parseOptions(args) {
		const operands = [];
		const unknown = [];
		let dest = operands;
		function maybeOption(arg) {
			return arg.length > 1 && arg[0] === "-";
		}
		const negativeNumberArg = (arg) => {
			if (!/^-(\d+|\d*\.\d+)(e[+-]?\d+)?$/.test(arg)) return false;
			return !this._getCommandAndAncestors().some((cmd) => cmd.options.map((opt) => opt.short).some((short) => /^-\d$/.test(short)));
		};
		let activeVariadicOption = null;
		let activeGroup = null;
		let i = 0;
		while (i < args.length || activeGroup) {
			const arg = activeGroup ?? args[i++];
			activeGroup = null;
			if (arg === "--") {
				if (dest === unknown) dest.push(arg);
				dest.push(...args.slice(i));
				break;
			}
			if (activeVariadicOption && (!maybeOption(arg) || negativeNumberArg(arg))) {
				this.emit(`option:${activeVariadicOption.name()}`, arg);
				continue;
			}
			activeVariadicOption = null;
			if (maybeOption(arg)) {
				const option = this._findOption(arg);
				if (option) {
					if (option.required) {
						const value = args[i++];
						if (value === void 0) this.optionMissingArgument(option);
						this.emit(`option:${option.name()}`, value);
					} else if (option.optional) {
						let value = null;
						if (i < args.length && (!maybeOption(args[i]) || negativeNumberArg(args[i]))) value = args[i++];
						this.emit(`option:${option.name()}`, value);
					} else this.emit(`option:${option.name()}`);
					activeVariadicOption = option.variadic ? option : null;
					continue;
				}
			}
			if (arg.length > 2 && arg[0] === "-" && arg[1] !== "-") {
				const option = this._findOption(`-${arg[1]}`);
				if (option) {
					if (option.required || option.optional && this._combineFlagAndOptionalValue) this.emit(`option:${option.name()}`, arg.slice(2));
					else {
						this.emit(`option:${option.name()}`);
						activeGroup = `-${arg.slice(2)}`;
					}
					continue;
				}
			}
			if (/^--[^=]+=/.test(arg)) {
				const index = arg.indexOf("=");
				const option = this._findOption(arg.slice(0, index));
				if (option && (option.required || option.optional)) {
					this.emit(`option:${option.name()}`, arg.slice(index + 1));
					continue;
				}
			}
			if (dest === operands && maybeOption(arg) && !(this.commands.length === 0 && negativeNumberArg(arg))) dest = unknown;
			if ((this._enablePositionalOptions || this._passThroughOptions) && operands.length === 0 && unknown.length === 0) {
				if (this._findCommand(arg)) {
					operands.push(arg);
					unknown.push(...args.slice(i));
					break;
				} else if (this._getHelpCommand() && arg === this._getHelpCommand().name()) {
					operands.push(arg, ...args.slice(i));
					break;
				} else if (this._defaultCommandName) {
					unknown.push(arg, ...args.slice(i));
					break;
				}
			}
			if (this._passThroughOptions) {
				dest.push(arg, ...args.slice(i));
				break;
			}
			dest.push(arg);
		}
		return {
			operands,
			unknown
		};
	}
	opts() {
		if (this._storeOptionsAsProperties) {
			const result = {};
			const len = this.options.length;
			for (let i = 0; i < len; i++) {
				const key = this.options[i].attributeName();
				result[key] = key === this._versionOptionName ? this._version : this[key];
			}
			return result;
		}
		return this._optionValues;
	}
	optsWithGlobals() {
		return this._getCommandAndAncestors().reduce((combinedOptions, cmd) => Object.assign(combinedOptions, cmd.opts()), {});
	}
	error(message, errorOptions) {
		this._outputConfiguration.outputError(`${message}\n`, this._outputConfiguration.writeErr);
		if (typeof this._showHelpAfterError === "string") this._outputConfiguration.writeErr(`${this._showHelpAfterError}\n`);
		else if (this._showHelpAfterError) {
			this._outputConfiguration.writeErr("\n");
			this.outputHelp({ error: true });
		}
		const config = errorOptions || {};
		const exitCode = config.exitCode || 1;
		const code = config.code || "commander.error";
		this._exit(exitCode, code, message);
	}
	_parseOptionsEnv() {
		this.options.forEach((option) => {
			if (option.envVar && option.envVar in process$1.env) {
				const optionKey = option.attributeName();
				if (this.getOptionValue(optionKey) === void 0 || [
					"default",
					"config",
					"env"
				].includes(this.getOptionValueSource(optionKey))) {
					if (option.required || option.optional) this.emit(`optionEnv:${option.name()}`, process$1.env[option.envVar]);
					else this.emit(`optionEnv:${option.name()}`);
				}
			}
		});
	}
	_parseOptionsImplied() {
		const dualHelper = new DualOptions(this.options);
		const hasCustomOptionValue = (optionKey) => {
			return this.getOptionValue(optionKey) !== void 0 && !["default", "implied"].includes(this.getOptionValueSource(optionKey));
		};
		this.options.filter((option) => option.implied !== void 0 && hasCustomOptionValue(option.attributeName()) && dualHelper.valueFromOption(this.getOptionValue(option.attributeName()), option)).forEach((option) => {
			Object.keys(option.implied).filter((impliedKey) => !hasCustomOptionValue(impliedKey)).forEach((impliedKey) => {
				this.setOptionValueWithSource(impliedKey, option.implied[impliedKey], "implied");
			});
		});
	}
	missingArgument(name) {
		const message = `error: missing required argument '${name}'`;
		this.error(message, { code: "commander.missingArgument" });
	}
	optionMissingArgument(option) {
		const message = `error: option '${option.flags}' argument missing`;
		this.error(message, { code: "commander.optionMissingArgument" });
	}
	missingMandatoryOptionValue(option) {
		const message = `error: required option '${option.flags}' not specified`;
		this.error(message, { code: "commander.missingMandatoryOptionValue" });
	}
	_conflictingOption(option, conflictingOption) {
		const findBestOptionFromValue = (option) => {
			const optionKey = option.attributeName();
			const optionValue = this.getOptionValue(optionKey);
			const negativeOption = this.options.find((target) => target.negate && optionKey === target.attributeName());
			const positiveOption = this.options.find((target) => !target.negate && optionKey === target.attributeName());
			if (negativeOption && (negativeOption.presetArg === void 0 && optionValue === false || negativeOption.presetArg !== void 0 && optionValue === negativeOption.presetArg)) return negativeOption;
			return positiveOption || option;
		};
		const getErrorMessage = (option) => {
			const bestOption = findBestOptionFromValue(option);
			const optionKey = bestOption.attributeName();
			if (this.getOptionValueSource(optionKey) === "env") return `environment variable '${bestOption.envVar}'`;
			return `option '${bestOption.flags}'`;
		};
		const message = `error: ${getErrorMessage(option)} cannot be used with ${getErrorMessage(conflictingOption)}`;
		this.error(message, { code: "commander.conflictingOption" });
	}
	unknownOption(flag) {
		if (this._allowUnknownOption) return;
		let suggestion = "";
		if (flag.startsWith("--") && this._showSuggestionAfterError) {
			let candidateFlags = [];
			let command = this;
			do {
				const moreFlags = command.createHelp().visibleOptions(command).filter((option) => option.long).map((option) => option.long);
				candidateFlags = candidateFlags.concat(moreFlags);
				command = command.parent;
			} while (command && !command._enablePositionalOptions);
			suggestion = suggestSimilar(flag, candidateFlags);
		}
		const message = `error: unknown option '${flag}'${suggestion}`;
		this.error(message, { code: "commander.unknownOption" });
	}
	_excessArguments(receivedArgs) {
		if (this._allowExcessArguments) return;
		const expected = this.registeredArguments.length;
		const s = expected === 1 ? "" : "s";
		const received = receivedArgs.length;
		const message = `error: too many arguments${this.parent ? ` for '${this.name()}'` : ""}. Expected ${expected} argument${s} but got ${received}: ${receivedArgs.join(", ")}.`;
		this.error(message, { code: "commander.excessArguments" });
	}
	unknownCommand() {
		const unknownName = this.args[0];
		let suggestion = "";
		if (this._showSuggestionAfterError) {
			const candidateNames = [];
			this.createHelp().visibleCommands(this).forEach((command) => {
				candidateNames.push(command.name());
				if (command.alias()) candidateNames.push(command.alias());
			});
			suggestion = suggestSimilar(unknownName, candidateNames);
		}
		const message = `error: unknown command '${unknownName}'${suggestion}`;
		this.error(message, { code: "commander.unknownCommand" });
	}
	version(str, flags, description) {
		if (str === void 0) return this._version;
		this._version = str;
		flags = flags || "-V, --version";
		description = description || "output the version number";
		const versionOption = this.createOption(flags, description);
		this._versionOptionName = versionOption.attributeName();
		this._registerOption(versionOption);
		this.on("option:" + versionOption.name(), () => {
			this._outputConfiguration.writeOut(`${str}\n`);
			this._exit(0, "commander.version", str);
		});
		return this;
	}
	description(str, argsDescription) {
		if (str === void 0 && argsDescription === void 0) return this._description;
		this._description = str;
		if (argsDescription) this._argsDescription = argsDescription;
		return this;
	}
	summary(str) {
		if (str === void 0) return this._summary;
		this._summary = str;
		return this;
	}
	alias(alias) {
		if (alias === void 0) return this._aliases[0];
		let command = this;
		if (this.commands.length !== 0 && this.commands[this.commands.length - 1]._executableHandler) command = this.commands[this.commands.length - 1];
		if (alias === command._name) throw new Error("Command alias can't be the same as its name");
		const matchingCommand = this.parent?._findCommand(alias);
		if (matchingCommand) {
			const existingCmd = [matchingCommand.name()].concat(matchingCommand.aliases()).join("|");
			throw new Error(`cannot add alias '${alias}' to command '${this.name()}' as already have command '${existingCmd}'`);
		}
		command._aliases.push(alias);
		return this;
	}
	aliases(aliases) {
		if (aliases === void 0) return this._aliases;
		aliases.forEach((alias) => this.alias(alias));
		return this;
	}
	usage(str) {
		if (str === void 0) {
			if (this._usage) return this._usage;
			const args = this.registeredArguments.map((arg) => {
				return humanReadableArgName(arg);
			});
			return [].concat(this.options.length || this._helpOption !== null ? "[options]" : [], this.commands.length ? "[command]" : [], this.registeredArguments.length ? args : []).join(" ");
		}
		this._usage = str;
		return this;
	}
	name(str) {
		if (str === void 0) return this._name;
		this._name = str;
		return this;
	}
	helpGroup(heading) {
		if (heading === void 0) return this._helpGroupHeading ?? "";
		this._helpGroupHeading = heading;
		return this;
	}
	commandsGroup(heading) {
		if (heading === void 0) return this._defaultCommandGroup ?? "";
		this._defaultCommandGroup = heading;
		return this;
	}
	optionsGroup(heading) {
		if (heading === void 0) return this._defaultOptionGroup ?? "";
		this._defaultOptionGroup = heading;
		return this;
	}
	_initOptionGroup(option) {
		if (this._defaultOptionGroup && !option.helpGroupHeading) option.helpGroup(this._defaultOptionGroup);
	}
	_initCommandGroup(cmd) {
		if (this._defaultCommandGroup && !cmd.helpGroup()) cmd.helpGroup(this._defaultCommandGroup);
	}
	nameFromFilename(filename) {
		this._name = path.basename(filename, path.extname(filename));
		return this;
	}
	executableDir(path) {
		if (path === void 0) return this._executableDir;
		this._executableDir = path;
		return this;
	}
	helpInformation(contextOptions) {
		const helper = this.createHelp();
		const context = this._getOutputContext(contextOptions);
		helper.prepareContext({
			error: context.error,
			helpWidth: context.helpWidth,
			outputHasColors: context.hasColors
		});
		const text = helper.formatHelp(this, helper);
		if (context.hasColors) return text;
		return this._outputConfiguration.stripColor(text);
	}
	_getOutputContext(contextOptions) {
		contextOptions = contextOptions || {};
		const error = !!contextOptions.error;
		let baseWrite;
		let hasColors;
		let helpWidth;
		if (error) {
			baseWrite = (str) => this._outputConfiguration.writeErr(str);
			hasColors = this._outputConfiguration.getErrHasColors();
			helpWidth = this._outputConfiguration.getErrHelpWidth();
		} else {
			baseWrite = (str) => this._outputConfiguration.writeOut(str);
			hasColors = this._outputConfiguration.getOutHasColors();
			helpWidth = this._outputConfiguration.getOutHelpWidth();
		}
		const write = (str) => {
			if (!hasColors) str = this._outputConfiguration.stripColor(str);
			return baseWrite(str);
		};
		return {
			error,
			write,
			hasColors,
			helpWidth
		};
	}
	outputHelp(contextOptions) {
		let deprecatedCallback;
		if (typeof contextOptions === "function") {
			deprecatedCallback = contextOptions;
			contextOptions = void 0;
		}
		const outputContext = this._getOutputContext(contextOptions);
		const eventContext = {
			error: outputContext.error,
			write: outputContext.write,
			command: this
		};
		this._getCommandAndAncestors().reverse().forEach((command) => command.emit("beforeAllHelp", eventContext));
		this.emit("beforeHelp", eventContext);
		let helpInformation = this.helpInformation({ error: outputContext.error });
		if (deprecatedCallback) {
			helpInformation = deprecatedCallback(helpInformation);
			if (typeof helpInformation !== "string" && !Buffer.isBuffer(helpInformation)) throw new Error("outputHelp callback must return a string or a Buffer");
		}
		outputContext.write(helpInformation);
		if (this._getHelpOption()?.long) this.emit(this._getHelpOption().long);
		this.emit("afterHelp", eventContext);
		this._getCommandAndAncestors().forEach((command) => command.emit("afterAllHelp", eventContext));
	}
	helpOption(flags, description) {
		if (typeof flags === "boolean") {
			if (flags) {
				if (this._helpOption === null) this._helpOption = void 0;
				if (this._defaultOptionGroup) this._initOptionGroup(this._getHelpOption());
			} else this._helpOption = null;
			return this;
		}
		this._helpOption = this.createOption(flags ?? "-h, --help", description ?? "display help for command");
		if (flags || description) this._initOptionGroup(this._helpOption);
		return this;
	}
	_getHelpOption() {
		if (this._helpOption === void 0) this.helpOption(void 0, void 0);
		return this._helpOption;
	}
	addHelpOption(option) {
		this._helpOption = option;
		this._initOptionGroup(option);
		return this;
	}
	help(contextOptions) {
		this.outputHelp(contextOptions);
		let exitCode = Number(process$1.exitCode ?? 0);
		if (exitCode === 0 && contextOptions && typeof contextOptions !== "function" && contextOptions.error) exitCode = 1;
		this._exit(exitCode, "commander.help", "(outputHelp)");
	}
	addHelpText(position, text) {
		const allowedValues = [
			"beforeAll",
			"before",
			"after",
			"afterAll"
		];
		if (!allowedValues.includes(position)) throw new Error(`Unexpected value for position to addHelpText.
Expecting one of '${allowedValues.join("', '")}'`);
		const helpEvent = `${position}Help`;
		this.on(helpEvent, (context) => {
			let helpStr;
			if (typeof text === "function") helpStr = text({
				error: context.error,
				command: context.command
			});
			else helpStr = text;
			if (helpStr) context.write(`${helpStr}\n`);
		});
		return this;
	}
	_outputHelpIfRequested(args) {
		const helpOption = this._getHelpOption();
		if (helpOption && args.find((arg) => helpOption.is(arg))) {
			this.outputHelp();
			this._exit(0, "commander.helpDisplayed", "(outputHelp)");
		}
	}
};
function incrementNodeInspectorPort(args) {
	return args.map((arg) => {
		if (!arg.startsWith("--inspect")) return arg;
		let debugOption;
		let debugHost = "127.0.0.1";
		let debugPort = "9229";
		let match;
		if ((match = arg.match(/^(--inspect(-brk)?)$/)) !== null) debugOption = match[1];
		else if ((match = arg.match(/^(--inspect(-brk|-port)?)=([^:]+)$/)) !== null) {
			debugOption = match[1];
			if (/^\d+$/.test(match[3])) debugPort = match[3];
			else debugHost = match[3];
		} else if ((match = arg.match(/^(--inspect(-brk|-port)?)=([^:]+):(\d+)$/)) !== null) {
			debugOption = match[1];
			debugHost = match[3];
			debugPort = match[4];
		}
		if (debugOption && debugPort !== "0") return `${debugOption}=${debugHost}:${parseInt(debugPort) + 1}`;
		return arg;
	});
}
function useColor() {
	if (process$1.env.NO_COLOR || process$1.env.FORCE_COLOR === "0" || process$1.env.FORCE_COLOR === "false") return false;
	if (process$1.env.FORCE_COLOR || process$1.env.CLICOLOR_FORCE !== void 0) return true;
}
new Command();
// packages/sdk/dist/resources.js
var SessionAuthResource, SessionWorkspaceResource, SessionAuditResource, SessionKeysResource, AppsResource, TemplatesResource, ContentResource, JobsResource, CreditsResource, UsageResource, AccountsResource, SessionAccountsResource, SchedulesResource, AutomationsResource, WebhooksResource, EventsResource, AnalyticsResource, SessionAnalyticsResource;
var init_resources = __esmMin((() => {
	SessionAuthResource = class {
		transport;
		constructor(transport) {
			this.transport = transport;
		}
		signUp(body, options = {}) {
			return this.transport.send("POST", "/auth/sign-up", { body }, options);
		}
		signIn(body, options = {}) {
			return this.transport.send("POST", "/auth/sign-in", { body }, options);
		}
		signOut(options = {}) {
			return this.transport.send("POST", "/auth/sign-out", {}, options);
		}
		getSession(options = {}) {
			return this.transport.send("GET", "/auth/session", {}, options);
		}
		listSessions(query = {}, options = {}) {
			return this.transport.list("/auth/sessions", query, "cursor", options);
		}
		endOtherSessions(options = {}) {
			return this.transport.send("DELETE", "/auth/sessions", {}, options);
		}
		endSession(id, options = {}) {
			return this.transport.send("DELETE", `/auth/sessions/${encodeURIComponent(id)}`, {}, options);
		}
		changePassword(body, options = {}) {
			return this.transport.send("POST", "/auth/password", { body }, options);
		}
		requestPasswordReset(body, options = {}) {
			return this.transport.send("POST", "/auth/password-reset", { body }, options);
		}
		confirmPasswordReset(body, options = {}) {
			return this.transport.send("POST", "/auth/password-reset/confirm", { body }, options);
		}
		verifyEmail(body, options = {}) {
			return this.transport.send("POST", "/auth/verify-email", { body }, options);
		}
		acceptInvitation(body, options = {}) {
			return this.transport.send("POST", "/auth/invitations/accept", { body }, options);
		}
		listOwnWorkspaces(options = {}) {
			return this.transport.send("GET", "/auth/workspaces", {}, options);
		}
		enterWorkspace(id, options = {}) {
			return this.transport.send("POST", `/auth/workspaces/${encodeURIComponent(id)}/enter`, {}, options);
		}
	};
	SessionWorkspaceResource = class {
		transport;
		constructor(transport) {
			this.transport = transport;
		}
		get(options = {}) {
			return this.transport.send("GET", "/workspace", {}, options);
		}
		getNotifications(options = {}) {
			return this.transport.send("GET", "/workspace/notifications", {}, options);
		}
		updateNotifications(body, options = {}) {
			return this.transport.send("PATCH", "/workspace/notifications", { body }, options);
		}
		update(body, options = {}) {
			return this.transport.send("PATCH", "/workspace", { body }, options);
		}
		delete(body = {}, options = {}) {
			return this.transport.send("DELETE", "/workspace", { body }, options);
		}
		restore(body = {}, options = {}) {
			return this.transport.send("POST", "/workspace/restore", { body }, options);
		}
		createExport(options = {}) {
			return this.transport.send("POST", "/workspace/exports", { takesKey: true }, options);
		}
		getExport(id, options = {}) {
			return this.transport.send("GET", `/workspace/exports/${encodeURIComponent(id)}`, {}, options);
		}
		listMembers(query = {}, options = {}) {
			return this.transport.list("/workspace/members", query, "cursor", options);
		}
		updateMember(userId, body, options = {}) {
			return this.transport.send("PATCH", `/workspace/members/${encodeURIComponent(userId)}`, { body }, options);
		}
		removeMember(userId, options = {}) {
			return this.transport.send("DELETE", `/workspace/members/${encodeURIComponent(userId)}`, {}, options);
		}
		createInvitation(body, options = {}) {
			return this.transport.send("POST", "/workspace/invitations", {
				body,
				takesKey: true
			}, options);
		}
		listInvitations(query = {}, options = {}) {
			return this.transport.list("/workspace/invitations", query, "cursor", options);
		}
		deleteInvitation(id, options = {}) {
			return this.transport.send("DELETE", `/workspace/invitations/${encodeURIComponent(id)}`, {}, options);
		}
	};
	SessionAuditResource = class {
		transport;
		constructor(transport) {
			this.transport = transport;
		}
		list(query = {}, options = {}) {
			return this.transport.list("/audit", query, "after", options);
		}
	};
	SessionKeysResource = class {
		transport;
		constructor(transport) {
			this.transport = transport;
		}
		create(body, options = {}) {
			return this.transport.send("POST", "/keys", {
				body,
				takesKey: true
			}, options);
		}
		list(query = {}, options = {}) {
			return this.transport.list("/keys", query, "cursor", options);
		}
		getWorkOf(id, options = {}) {
			return this.transport.send("GET", `/keys/${encodeURIComponent(id)}/work`, {}, options);
		}
		revoke(id, options = {}) {
			return this.transport.send("DELETE", `/keys/${encodeURIComponent(id)}`, { query: { withWhatItMade: options.withWhatItMade } }, options);
		}
	};
	AppsResource = class {
		transport;
		constructor(transport) {
			this.transport = transport;
		}
		create(body, options = {}) {
			return this.transport.send("POST", "/apps", {
				body,
				takesKey: true
			}, options);
		}
		list(query = {}, options = {}) {
			return this.transport.list("/apps", query, "cursor", options);
		}
		get(id, options = {}) {
			return this.transport.send("GET", `/apps/${encodeURIComponent(id)}`, {}, options);
		}
		update(id, body, options = {}) {
			return this.transport.send("PATCH", `/apps/${encodeURIComponent(id)}`, { body }, options);
		}
		refresh(id, options = {}) {
			return this.transport.send("POST", `/apps/${encodeURIComponent(id)}/refresh`, { takesKey: true }, options);
		}
		delete(id, options = {}) {
			return this.transport.send("DELETE", `/apps/${encodeURIComponent(id)}`, {}, options);
		}
		addPicture(id, file, options = {}) {
			return this.transport.send("POST", `/apps/${encodeURIComponent(id)}/pictures`, {
				file,
				takesKey: true
			}, options);
		}
		listPictures(id, query = {}, options = {}) {
			return this.transport.list(`/apps/${encodeURIComponent(id)}/pictures`, query, "cursor", options);
		}
		deletePicture(id, pictureId, options = {}) {
			return this.transport.send("DELETE", `/apps/${encodeURIComponent(id)}/pictures/${encodeURIComponent(pictureId)}`, {}, options);
		}
	};
	TemplatesResource = class {
		transport;
		constructor(transport) {
			this.transport = transport;
		}
		list(options = {}) {
			return this.transport.send("GET", "/templates", {}, options);
		}
	};
	ContentResource = class {
		transport;
		constructor(transport) {
			this.transport = transport;
		}
		create(body, options = {}) {
			return this.transport.send("POST", "/content", {
				body,
				takesKey: true
			}, options);
		}
		list(query = {}, options = {}) {
			return this.transport.list("/content", query, "cursor", options);
		}
		count(options = {}) {
			return this.transport.send("GET", "/content/counts", {}, options);
		}
		get(id, options = {}) {
			return this.transport.send("GET", `/content/${encodeURIComponent(id)}`, {}, options);
		}
		getTimeline(id, options = {}) {
			return this.transport.send("GET", `/content/${encodeURIComponent(id)}/timeline`, {}, options);
		}
		update(id, body, options = {}) {
			return this.transport.send("PATCH", `/content/${encodeURIComponent(id)}`, {
				body,
				query: { dryRun: options.dryRun }
			}, options);
		}
		approve(id, body = {}, options = {}) {
			return this.transport.send("POST", `/content/${encodeURIComponent(id)}/approve`, {
				body,
				takesKey: true
			}, options);
		}
		reject(id, body = {}, options = {}) {
			return this.transport.send("POST", `/content/${encodeURIComponent(id)}/reject`, {
				body,
				takesKey: true
			}, options);
		}
		preflight(id, query = {}, options = {}) {
			return this.transport.send("GET", `/content/${encodeURIComponent(id)}/preflight`, { query }, options);
		}
	};
	JobsResource = class {
		transport;
		constructor(transport) {
			this.transport = transport;
		}
		get(id, options = {}) {
			return this.transport.send("GET", `/jobs/${encodeURIComponent(id)}`, {}, options);
		}
	};
	CreditsResource = class {
		transport;
		constructor(transport) {
			this.transport = transport;
		}
		get(options = {}) {
			return this.transport.send("GET", "/credits", {}, options);
		}
		ledger(query = {}, options = {}) {
			return this.transport.list("/credits/ledger", query, "cursor", options);
		}
	};
	UsageResource = class {
		transport;
		constructor(transport) {
			this.transport = transport;
		}
		get(options = {}) {
			return this.transport.send("GET", "/usage", {}, options);
		}
	};
	AccountsResource = class {
		transport;
		constructor(transport) {
			this.transport = transport;
		}
		list(query = {}, options = {}) {
			return this.transport.list("/accounts", query, "cursor", options);
		}
	};
	SessionAccountsResource = class {
		transport;
		constructor(transport) {
			this.transport = transport;
		}
		connectTiktok(body = {}, options = {}) {
			return this.transport.send("POST", "/accounts/tiktok/connect", {
				body,
				takesKey: true
			}, options);
		}
		finishTiktok(body, options = {}) {
			return this.transport.send("POST", "/accounts/tiktok/finish", {
				body,
				takesKey: true
			}, options);
		}
		delete(id, options = {}) {
			return this.transport.send("DELETE", `/accounts/${encodeURIComponent(id)}`, {}, options);
		}
	};
	SchedulesResource = class {
		transport;
		constructor(transport) {
			this.transport = transport;
		}
		create(body, options = {}) {
			return this.transport.send("POST", "/schedules", {
				body,
				query: { dryRun: options.dryRun },
				takesKey: true
			}, options);
		}
		list(query = {}, options = {}) {
			return this.transport.list("/schedules", query, "cursor", options);
		}
		get(id, options = {}) {
			return this.transport.send("GET", `/schedules/${encodeURIComponent(id)}`, {}, options);
		}
		update(id, body, options = {}) {
			return this.transport.send("PATCH", `/schedules/${encodeURIComponent(id)}`, { body }, options);
		}
		delete(id, options = {}) {
			return this.transport.send("DELETE", `/schedules/${encodeURIComponent(id)}`, {}, options);
		}
		retry(id, options = {}) {
			return this.transport.send("POST", `/schedules/${encodeURIComponent(id)}/retry`, { takesKey: true }, options);
		}
	};
	AutomationsResource = class {
		transport;
		constructor(transport) {
			this.transport = transport;
		}
		create(body, options = {}) {
			return this.transport.send("POST", "/automations", {
				body,
				takesKey: true
			}, options);
		}
		list(query = {}, options = {}) {
			return this.transport.list("/automations", query, "cursor", options);
		}
		listNextFirings(query = {}, options = {}) {
			return this.transport.send("GET", "/automations/next", { query }, options);
		}
		get(id, options = {}) {
			return this.transport.send("GET", `/automations/${encodeURIComponent(id)}`, {}, options);
		}
		update(id, body, options = {}) {
			return this.transport.send("PATCH", `/automations/${encodeURIComponent(id)}`, { body }, options);
		}
		delete(id, options = {}) {
			return this.transport.send("DELETE", `/automations/${encodeURIComponent(id)}`, {}, options);
		}
		preview(id, query = {}, options = {}) {
			return this.transport.send("GET", `/automations/${encodeURIComponent(id)}/next`, { query }, options);
		}
		run(id, options = {}) {
			return this.transport.send("POST", `/automations/${encodeURIComponent(id)}/run`, { takesKey: true }, options);
		}
		listFirings(id, query = {}, options = {}) {
			return this.transport.list(`/automations/${encodeURIComponent(id)}/firings`, query, "cursor", options);
		}
	};
	WebhooksResource = class {
		transport;
		constructor(transport) {
			this.transport = transport;
		}
		create(body, options = {}) {
			return this.transport.send("POST", "/webhooks", {
				body,
				takesKey: true
			}, options);
		}
		list(query = {}, options = {}) {
			return this.transport.list("/webhooks", query, "cursor", options);
		}
		get(id, options = {}) {
			return this.transport.send("GET", `/webhooks/${encodeURIComponent(id)}`, {}, options);
		}
		update(id, body, options = {}) {
			return this.transport.send("PATCH", `/webhooks/${encodeURIComponent(id)}`, { body }, options);
		}
		delete(id, options = {}) {
			return this.transport.send("DELETE", `/webhooks/${encodeURIComponent(id)}`, {}, options);
		}
		test(id, options = {}) {
			return this.transport.send("POST", `/webhooks/${encodeURIComponent(id)}/test`, { takesKey: true }, options);
		}
		rotate(id, body = {}, options = {}) {
			return this.transport.send("POST", `/webhooks/${encodeURIComponent(id)}/rotate`, {
				body,
				takesKey: true
			}, options);
		}
		listDeliveries(id, query = {}, options = {}) {
			return this.transport.list(`/webhooks/${encodeURIComponent(id)}/deliveries`, query, "cursor", options);
		}
		replayDelivery(id, deliveryId, options = {}) {
			return this.transport.send("POST", `/webhooks/${encodeURIComponent(id)}/deliveries/${encodeURIComponent(deliveryId)}/replay`, { takesKey: true }, options);
		}
		replay(id, body, options = {}) {
			return this.transport.send("POST", `/webhooks/${encodeURIComponent(id)}/replay`, {
				body,
				takesKey: true
			}, options);
		}
	};
	EventsResource = class {
		transport;
		constructor(transport) {
			this.transport = transport;
		}
		list(query = {}, options = {}) {
			return this.transport.list("/events", query, "after", options);
		}
	};
	AnalyticsResource = class {
		transport;
		constructor(transport) {
			this.transport = transport;
		}
		summary(query = {}, options = {}) {
			return this.transport.send("GET", "/analytics/summary", { query }, options);
		}
		video(videoId, options = {}) {
			return this.transport.send("GET", `/analytics/content/${encodeURIComponent(videoId)}`, {}, options);
		}
		listPosts(query = {}, options = {}) {
			return this.transport.list("/analytics/posts", query, "cursor", options);
		}
		getSeries(query = {}, options = {}) {
			return this.transport.send("GET", "/analytics/series", { query }, options);
		}
	};
	SessionAnalyticsResource = class {
		transport;
		constructor(transport) {
			this.transport = transport;
		}
		registerPost(body, options = {}) {
			return this.transport.send("POST", "/analytics/posts", {
				body,
				takesKey: true
			}, options);
		}
		createSource(body, options = {}) {
			return this.transport.send("POST", "/analytics/sources", {
				body,
				takesKey: true
			}, options);
		}
		listSources(query = {}, options = {}) {
			return this.transport.list("/analytics/sources", query, "cursor", options);
		}
		deleteSource(id, options = {}) {
			return this.transport.send("DELETE", `/analytics/sources/${encodeURIComponent(id)}`, {}, options);
		}
	};
}));
// packages/sdk/dist/clients.js
var KeyResources, SessionResources;
var init_clients = __esmMin((() => {
	init_resources();
	KeyResources = class {
		apps;
		templates;
		content;
		jobs;
		credits;
		usage;
		accounts;
		schedules;
		automations;
		webhooks;
		events;
		analytics;
		constructor(transport) {
			this.apps = new AppsResource(transport);
			this.templates = new TemplatesResource(transport);
			this.content = new ContentResource(transport);
			this.jobs = new JobsResource(transport);
			this.credits = new CreditsResource(transport);
			this.usage = new UsageResource(transport);
			this.accounts = new AccountsResource(transport);
			this.schedules = new SchedulesResource(transport);
			this.automations = new AutomationsResource(transport);
			this.webhooks = new WebhooksResource(transport);
			this.events = new EventsResource(transport);
			this.analytics = new AnalyticsResource(transport);
		}
	};
	SessionResources = class {
		auth;
		workspace;
		audit;
		keys;
		accounts;
		analytics;
		constructor(transport) {
			this.auth = new SessionAuthResource(transport);
			this.workspace = new SessionWorkspaceResource(transport);
			this.audit = new SessionAuditResource(transport);
			this.keys = new SessionKeysResource(transport);
			this.accounts = new SessionAccountsResource(transport);
			this.analytics = new SessionAnalyticsResource(transport);
		}
	};
}));
// packages/sdk/dist/errors.js
var HooklineError;
var init_errors = __esmMin((() => {
	HooklineError = class extends Error {
		name = "HooklineError";
		code;
		status;
		requestId;
		retryAfterSeconds;
		constructor(message, facts) {
			super(message, facts.cause === void 0 ? void 0 : { cause: facts.cause });
			this.code = facts.code;
			this.status = facts.status ?? null;
			this.requestId = facts.requestId ?? null;
			this.retryAfterSeconds = facts.retryAfterSeconds ?? null;
		}
	};
}));
// packages/sdk/dist/pages.js
function withoutUndefined(query) {
	return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== void 0));
}
var rowsPerPage, Pages;
var init_pages = __esmMin((() => {
	rowsPerPage = 100;
	Pages = class {
		#load;
		#query;
		#cursorName;
		constructor(load, query, cursorName) {
			this.#load = load;
			this.#query = {
				limit: rowsPerPage,
				...withoutUndefined(query)
			};
			this.#cursorName = cursorName;
		}
		page(cursor) {
			return this.#load(cursor === void 0 ? this.#query : {
				...this.#query,
				[this.#cursorName]: cursor
			});
		}
		async *[Symbol.asyncIterator]() {
			let page = await this.page();
			while (true) {
				yield* page.data;
				const isEnd = this.#cursorName === "after" && page.data.length < (this.#query.limit ?? rowsPerPage);
				if (page.nextCursor === null || isEnd) return;
				page = await this.page(page.nextCursor);
			}
		}
		async toArray(max = Number.POSITIVE_INFINITY) {
			const rows = [];
			if (max <= 0) return rows;
			for await (const row of this) {
				rows.push(row);
				if (rows.length >= max) break;
			}
			return rows;
		}
	};
}));
// packages/sdk/dist/transport.js
function attemptOf(method, address, { body, query = {}, file }) {
	const asked = Object.entries(query).filter(([, value]) => value !== void 0 && value !== null);
	const search = new URLSearchParams(asked.map(([name, value]) => [name, String(value)])).toString();
	const url = search === "" ? address : `${address}?${search}`;
	if (file !== void 0) {
		const form = new FormData();
		form.set("file", file instanceof Blob ? file : new Blob([file]), "file");
		return {
			method,
			url,
			headers: {},
			body: form
		};
	}
	if (body === void 0) return {
		method,
		url,
		headers: {}
	};
	return {
		method,
		url,
		headers: { "content-type": "application/json" },
		body: JSON.stringify(body)
	};
}
function read$1(call, response, text) {
	const { status } = response;
	const envelope = parse(text);
	if (response.ok && envelope !== null && "data" in envelope) return envelope;
	const waits = Number(response.headers.get("retry-after") ?? NaN);
	const retryAfterSeconds = Number.isFinite(waits) && waits >= 0 ? waits : null;
	const requestId = response.headers.get("x-request-id");
	const error = response.ok ? void 0 : envelope?.error;
	if (typeof error?.code === "string") throw new HooklineError(String(error.message ?? error.code), {
		code: error.code,
		status,
		requestId: typeof error.requestId === "string" ? error.requestId : requestId,
		retryAfterSeconds
	});
	const type = response.headers.get("content-type")?.split(";")[0] ?? "an unknown type";
	const kind = response.ok ? "envelope" : "error envelope";
	throw new HooklineError(`${call} answered ${status} ${type} with no ${kind}: is the base URL right?`, {
		code: "no_envelope",
		status,
		requestId,
		retryAfterSeconds
	});
}
function parse(text) {
	try {
		const value = JSON.parse(text);
		return typeof value === "object" && value !== null ? value : null;
	} catch {
		return null;
	}
}
function isSafeToRepeat({ code, status, retryAfterSeconds }, method, hasKey) {
	if ((retryAfterSeconds ?? 0) > longestWaitSeconds) return false;
	if (status === 429) return true;
	const isSafe = method === "GET" || method === "DELETE" || hasKey;
	if (code === "db_error" || code === "service_unavailable") return isSafe || method === "PATCH";
	if (!isSafe) return false;
	if (code === "no_envelope") return status === 500 || status === 502 || status === 503;
	return code === "internal_error" || code === "connection_failed" || code === "timed_out";
}
function waitMs({ retryAfterSeconds }, retries) {
	if (retryAfterSeconds !== null) return retryAfterSeconds * 1e3;
	return Math.min(firstBackoffMs * 2 ** retries, longestBackoffMs) * (.5 + Math.random() / 2);
}
function sleep(ms, signal) {
	return new Promise((resolve, reject) => {
		const end = () => {
			clearTimeout(timer);
			reject(signal?.reason);
		};
		const timer = setTimeout(() => {
			signal?.removeEventListener("abort", end);
			resolve();
		}, ms);
		if (signal?.aborted) end();
		else signal?.addEventListener("abort", end, { once: true });
	});
}
function newKey() {
	const bytes = crypto.getRandomValues(new Uint8Array(16));
	return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
function reasonOf(error) {
	const { cause } = error;
	return String(cause?.code ?? cause?.message ?? error.message).replace(/\.$/, "");
}
var longestWaitSeconds, firstBackoffMs, longestBackoffMs, Transport;
var init_transport = __esmMin((() => {
	init_errors();
	init_pages();
	longestWaitSeconds = 60;
	firstBackoffMs = 500;
	longestBackoffMs = 8e3;
	Transport = class {
		#settings;
		constructor(settings) {
			this.#settings = settings;
		}
		async send(method, path, request, options) {
			return (await this.exchange(method, path, request, options)).data;
		}
		list(path, query, cursorName, options) {
			const load = async (asked) => {
				return await this.exchange("GET", path, { query: asked }, options);
			};
			return new Pages(load, query, cursorName);
		}
		async exchange(method, path, request, options) {
			const { maxRetries = this.#settings.maxRetries, signal } = options;
			const key = request.takesKey ? options.idempotencyKey ?? newKey() : void 0;
			const attempt = attemptOf(method, this.#settings.baseUrl + path, request);
			if (key !== void 0) attempt.headers["idempotency-key"] = key;
			for (let retries = 0;; retries += 1) {
				signal?.throwIfAborted();
				try {
					return await this.#attempt(attempt, options);
				} catch (error) {
					if (!(error instanceof HooklineError) || retries >= maxRetries) throw error;
					if (!isSafeToRepeat(error, method, key !== void 0)) throw error;
					await sleep(waitMs(error, retries), signal);
				}
			}
		}
		async #attempt({ method, url, headers, body }, options) {
			const { timeoutMs = this.#settings.timeoutMs, signal } = options;
			const { fetch } = this.#settings;
			const token = this.#settings.token();
			const ender = new AbortController();
			const end = () => ender.abort(signal?.reason);
			signal?.addEventListener("abort", end, { once: true });
			const timer = setTimeout(() => ender.abort(), timeoutMs);
			try {
				const response = await fetch(url, {
					method,
					headers: {
						accept: "application/json",
						...this.#settings.headers,
						...headers,
						...token === void 0 ? {} : { authorization: `Bearer ${token}` }
					},
					redirect: "manual",
					signal: ender.signal,
					...body === void 0 ? {} : { body }
				});
				return read$1(`${method} ${url}`, response, await response.text());
			} catch (error) {
				if (error instanceof HooklineError) throw error;
				signal?.throwIfAborted();
				if (ender.signal.aborted) throw new HooklineError(`${method} ${url} was not answered within ${timeoutMs} ms.`, {
					code: "timed_out",
					cause: error
				});
				throw new HooklineError(`${method} ${url} failed: ${reasonOf(error)}.`, {
					code: "connection_failed",
					cause: error
				});
			} finally {
				clearTimeout(timer);
				signal?.removeEventListener("abort", end);
			}
		}
	};
}));
// packages/sdk/dist/webhooks.js
async function verifyWebhook(body, headers, secret, options = {}) {
	const bytes = typeof body === "string" ? encoder.encode(body) : body;
	const secrets = [secret].flat();
	if (!(options.signature === "service" ? await hasServiceSignature(bytes, headers, secrets) : await hasStandardSignature(bytes, headers, secrets, options.toleranceSeconds ?? 300))) throw new WebhookVerificationError("No signature of the delivery matches a secret.");
	return JSON.parse(new TextDecoder().decode(bytes));
}
async function hasStandardSignature(body, headers, secrets, toleranceSeconds) {
	const id = required(headers, "webhook-id");
	const timestamp = required(headers, "webhook-timestamp");
	const given = required(headers, "webhook-signature").split(" ").flatMap((part) => part.startsWith("v1,") ? [fromBase64(part.slice(3))] : []);
	const ageSeconds = Date.now() / 1e3 - Number(timestamp);
	if (!(Math.abs(ageSeconds) <= toleranceSeconds)) throw new WebhookVerificationError(`webhook-timestamp is more than ${toleranceSeconds} s from now.`);
	const head = encoder.encode(`${id}.${timestamp}.`);
	const signed = new Uint8Array(head.length + body.length);
	signed.set(head);
	signed.set(body, head.length);
	return matchesAny(secrets.map((secret) => fromBase64(secret.replace(/^whsec_/, ""))), given, signed);
}
function hasServiceSignature(body, headers, secrets) {
	const signatures = [required(headers, "x-service-signature"), read(headers, "x-service-signature-previous")].flatMap((hex) => hex === null ? [] : [fromHex(hex)]);
	return matchesAny(secrets.map((secret) => encoder.encode(secret)), signatures, body);
}
async function matchesAny(keys, signatures, signed) {
	const algorithm = {
		name: "HMAC",
		hash: "SHA-256"
	};
	for (const bytes of keys) {
		if (bytes.length === 0) continue;
		const key = await crypto.subtle.importKey("raw", own(bytes), algorithm, false, ["verify"]);
		for (const signature of signatures) if (await crypto.subtle.verify("HMAC", key, own(signature), own(signed))) return true;
	}
	return false;
}
function own(bytes) {
	return bytes;
}
function required(headers, name) {
	const value = read(headers, name);
	if (value === null) throw new WebhookVerificationError(`The header ${name} is missing.`);
	return value;
}
function read(headers, name) {
	if (typeof headers.get === "function") return headers.get(name);
	const record = headers;
	const found = Object.keys(record).find((key) => key.toLowerCase() === name);
	const value = found === void 0 ? void 0 : record[found];
	return typeof value === "string" ? value : value?.[0] ?? null;
}
function fromBase64(text) {
	try {
		return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
	} catch {
		return new Uint8Array();
	}
}
function fromHex(text) {
	return Uint8Array.from(text.match(/[0-9a-f]{2}/gi) ?? [], (pair) => Number.parseInt(pair, 16));
}
var WebhookVerificationError, encoder;
var init_webhooks = __esmMin((() => {
	WebhookVerificationError = class extends Error {
		name = "WebhookVerificationError";
	};
	encoder = new TextEncoder();
}));
// packages/sdk/dist/client.js
function isFinished({ status }) {
	return status === "ready" || status === "failed";
}
function transportOf(options, token) {
	return new Transport({
		baseUrl: apiAddress(options.baseUrl ?? environment("HOOKLINE_BASE_URL") ?? "http://localhost:8080"),
		token,
		maxRetries: options.maxRetries ?? 2,
		timeoutMs: options.timeoutMs ?? 6e4,
		fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
		headers: options.headers ?? {}
	});
}
function apiAddress(baseUrl) {
	const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
	if (url === null || !/^https?:$/.test(url.protocol)) throw new TypeError(`baseUrl must be an http or https address, not "${baseUrl}".`);
	const path = url.pathname.replace(/\/+$/, "");
	return `${url.origin}${path.endsWith("/api/v1") ? path : `${path}/api/v1`}`;
}
function environment(name) {
	const { process } = globalThis;
	try {
		return process?.env?.[name] || void 0;
	} catch {
		return;
	}
}
var Hookline, HooklineSession, ContentCalls, WebhookCalls;
var init_client$1 = __esmMin((() => {
	init_clients();
	init_errors();
	init_resources();
	init_transport();
	init_webhooks();
	Hookline = class extends KeyResources {
		#transport;
		constructor(options = {}) {
			const apiKey = options.apiKey ?? environment("HOOKLINE_API_KEY");
			if (!apiKey) throw new TypeError("Pass apiKey, or set HOOKLINE_API_KEY.");
			const transport = transportOf(options, () => apiKey);
			super(transport);
			this.#transport = transport;
			this.content = new ContentCalls(transport, (id, wait) => this.waitFor(id, wait));
			this.webhooks = new WebhookCalls(transport);
		}
		request(method, path, { body, query } = {}, options = {}) {
			const takesKey = method === "POST";
			return this.#transport.exchange(method, path, {
				body,
				takesKey,
				...query && { query }
			}, options);
		}
		async waitFor(jobId, options = {}) {
			const { withinMs = 12e4, everyMs = 1e3, ...call } = options;
			const until = Date.now() + withinMs;
			while (true) {
				const job = await this.jobs.get(jobId, call);
				if (isFinished(job)) return this.content.get(jobId, call);
				if (Date.now() + everyMs > until) throw new HooklineError(`${jobId} is still ${job.status} after ${withinMs} ms.`, { code: "wait_ran_out" });
				await sleep(everyMs, call.signal);
			}
		}
	};
	HooklineSession = class HooklineSession extends SessionResources {
		#token;
		constructor(options = {}) {
			super(transportOf(options, () => this.#token));
			this.#token = options.token;
		}
		get token() {
			return this.#token;
		}
		set token(token) {
			this.#token = token;
		}
		static async signIn({ email, password, ...options }) {
			const client = new HooklineSession(options);
			const { session } = await client.auth.signIn({
				email,
				password
			});
			client.token = session.token;
			return client;
		}
	};
	ContentCalls = class extends ContentResource {
		#waitFor;
		constructor(transport, waitFor) {
			super(transport);
			this.#waitFor = waitFor;
		}
		async create(body, { wait = false, ...options } = {}) {
			const content = await super.create(body, options);
			if (!wait || isFinished(content)) return content;
			const { idempotencyKey: _, ...call } = options;
			return this.#waitFor(content.id, call);
		}
	};
	WebhookCalls = class extends WebhooksResource {
		verify(body, headers, secret, options = {}) {
			return verifyWebhook(body, headers, secret, options);
		}
	};
}));
// packages/sdk/dist/scopes.js
var scopesByRole;
var init_scopes = __esmMin((() => {
	scopesByRole = {
		owner: [
			"apps:read",
			"apps:write",
			"content:read",
			"content:write",
			"content:approve",
			"automations:read",
			"automations:write",
			"schedules:read",
			"schedules:write",
			"schedules:publish",
			"analytics:read",
			"credits:read",
			"webhooks:write"
		],
		approver: [
			"apps:read",
			"content:read",
			"automations:read",
			"schedules:read",
			"analytics:read",
			"credits:read",
			"apps:write",
			"content:write",
			"schedules:write",
			"content:approve",
			"schedules:publish",
			"automations:write"
		],
		editor: [
			"apps:read",
			"content:read",
			"automations:read",
			"schedules:read",
			"analytics:read",
			"credits:read",
			"apps:write",
			"content:write",
			"schedules:write"
		],
		viewer: [
			"apps:read",
			"content:read",
			"automations:read",
			"schedules:read",
			"analytics:read",
			"credits:read"
		]
	};
}));
// packages/sdk/dist/index.js
var init_dist$5 = __esmMin((() => {
	init_client$1();
	init_errors();
	init_pages();
	init_scopes();
	init_webhooks();
}));
// packages/cli/src/failure.ts
function usage(message, hint) {
	return new Failure(exitCodes.usage, {
		code: "usage",
		message
	}, hint);
}
function noAccess(message, hint) {
	return new Failure(exitCodes.access, {
		code: "no_access",
		message
	}, hint);
}
function interrupted() {
	return new Failure(exitCodes.interrupted, {
		code: "interrupted",
		message: "Interrupted."
	});
}
function isRefusal(error) {
	return error instanceof HooklineError && error.status !== null && error.status >= 400 && error.status < 500;
}
function toFailure(error) {
	if (error instanceof Failure) return error;
	if (!(error instanceof HooklineError)) return new Failure(exitCodes.refused, {
		code: "internal_error",
		message: error.message
	});
	const { code, status, message, requestId } = error;
	const body = {
		code,
		message,
		...requestId === null ? {} : { requestId }
	};
	if (notAnswered.includes(code)) return new Failure(exitCodes.unreachable, body, hintFor(error));
	if (code === "wait_ran_out") return new Failure(exitCodes.waitedInVain, body);
	if (status === 401 || accessCodes.includes(code)) return new Failure(exitCodes.access, body, status === 401 ? "hookline login" : void 0);
	return new Failure(status === 429 || status === 503 ? exitCodes.unreachable : exitCodes.refused, body);
}
function hintFor({ code, message }) {
	return /https?:\/\/(localhost|127\.|\[::1\])/.test(message) && code === "connection_failed" ? "Is \"npm start\" running?" : "hookline doctor";
}
var exitCodes, Failure, accessCodes, notAnswered;
var init_failure = __esmMin((() => {
	init_dist$5();
	exitCodes = {
		ok: 0,
		refused: 1,
		usage: 2,
		unreachable: 3,
		access: 4,
		waitedInVain: 5,
		interrupted: 130
	};
	Failure = class extends Error {
		name = "Failure";
		exitCode;
		body;
		hint;
		constructor(exitCode, body, hint) {
			super(body.message);
			this.exitCode = exitCode;
			this.body = body;
			this.hint = hint;
		}
	};
	accessCodes = [
		"unauthorized",
		"key_revoked",
		"key_expired",
		"missing_scope"
	];
	notAnswered = [
		"connection_failed",
		"timed_out",
		"no_envelope"
	];
}));
// packages/cli/src/io.ts
init_failure();
function hasColor(isTty, env) {
	if (env.NO_COLOR) return false;
	if (env.FORCE_COLOR) return env.FORCE_COLOR !== "0";
	return isTty && env.TERM !== "dumb";
}
function streamOf(stream, env) {
	const isTty = stream.isTTY === true;
	const isColored = hasColor(isTty, env);
	return {
		write: (text) => {
			stream.write(text);
		},
		isTty,
		get columns() {
			return stream.columns > 0 ? stream.columns : 80;
		},
		style: (format, text) => isColored ? styleText(format, text, { validateStream: false }) : text
	};
}
function processIo(env, signal) {
	return {
		env,
		stdin: process.stdin,
		stdout: streamOf(process.stdout, env),
		stderr: streamOf(process.stderr, env),
		canAsk: process.stdin.isTTY === true && process.stderr.isTTY === true,
		signal,
		now: () => new Date()
	};
}
// node_modules/fast-string-truncated-width/dist/utils.js
var getCodePointsLength, isFullWidth, isWideNotCJKTNotEmoji;
var init_utils = __esmMin((() => {
	getCodePointsLength = (() => {
		const SURROGATE_PAIR_RE = /[\uD800-\uDBFF][\uDC00-\uDFFF]/g;
		return (input) => {
			let surrogatePairsNr = 0;
			SURROGATE_PAIR_RE.lastIndex = 0;
			while (SURROGATE_PAIR_RE.test(input)) surrogatePairsNr += 1;
			return input.length - surrogatePairsNr;
		};
	})();
	isFullWidth = (x) => {
		return x === 12288 || x >= 65281 && x <= 65376 || x >= 65504 && x <= 65510;
	};
	isWideNotCJKTNotEmoji = (x) => {
		return x === 8987 || x === 9001 || x >= 12272 && x <= 12287 || x >= 12289 && x <= 12350 || x >= 12441 && x <= 12543 || x >= 12549 && x <= 12591 || x >= 12593 && x <= 12686 || x >= 12688 && x <= 12771 || x >= 12783 && x <= 12830 || x >= 12832 && x <= 12871 || x >= 12880 && x <= 19903 || x >= 65040 && x <= 65049 || x >= 65072 && x <= 65106 || x >= 65108 && x <= 65126 || x >= 65128 && x <= 65131 || x >= 127488 && x <= 127490 || x >= 127504 && x <= 127547 || x >= 127552 && x <= 127560 || x >= 131072 && x <= 196605 || x >= 196608 && x <= 262141;
	};
}));
// node_modules/fast-string-truncated-width/dist/index.js
var ANSI_RE, CONTROL_RE, CJKT_WIDE_RE, TAB_RE, EMOJI_RE, LATIN_RE, MODIFIER_RE, NO_TRUNCATION$1, getStringTruncatedWidth;
var init_dist$4 = __esmMin((() => {
	init_utils();
	ANSI_RE = /[\u001b\u009b][[()#;?]*(?:[0-9]{1,4}(?:;[0-9]{0,4})*)?[0-9A-ORZcf-nqry=><]|\u001b\]8;[^;]*;.*?(?:\u0007|\u001b\u005c)/y;
	CONTROL_RE = /[\x00-\x08\x0A-\x1F\x7F-\x9F]{1,1000}/y;
	CJKT_WIDE_RE = /(?:(?![\uFF61-\uFF9F\uFF00-\uFFEF])[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Tangut}]){1,1000}/uy;
	TAB_RE = /\t{1,1000}/y;
	EMOJI_RE = /[\u{1F1E6}-\u{1F1FF}]{2}|\u{1F3F4}[\u{E0061}-\u{E007A}]{2}[\u{E0030}-\u{E0039}\u{E0061}-\u{E007A}]{1,3}\u{E007F}|(?:\p{Emoji}\uFE0F\u20E3?|\p{Emoji_Modifier_Base}\p{Emoji_Modifier}?|\p{Emoji_Presentation})(?:\u200D(?:\p{Emoji_Modifier_Base}\p{Emoji_Modifier}?|\p{Emoji_Presentation}|\p{Emoji}\uFE0F\u20E3?))*/uy;
	LATIN_RE = /(?:[\x20-\x7E\xA0-\xFF](?!\uFE0F)){1,1000}/y;
	MODIFIER_RE = /\p{M}+/gu;
	NO_TRUNCATION$1 = {
		limit: Infinity,
		ellipsis: ""
	};
	getStringTruncatedWidth = (input, truncationOptions = {}, widthOptions = {}) => {
		const LIMIT = truncationOptions.limit ?? Infinity;
		const ELLIPSIS = truncationOptions.ellipsis ?? "";
		const ELLIPSIS_WIDTH = truncationOptions?.ellipsisWidth ?? (ELLIPSIS ? getStringTruncatedWidth(ELLIPSIS, NO_TRUNCATION$1, widthOptions).width : 0);
		const ANSI_WIDTH = 0;
		const CONTROL_WIDTH = widthOptions.controlWidth ?? 0;
		const TAB_WIDTH = widthOptions.tabWidth ?? 8;
		const EMOJI_WIDTH = widthOptions.emojiWidth ?? 2;
		const FULL_WIDTH_WIDTH = 2;
		const REGULAR_WIDTH = widthOptions.regularWidth ?? 1;
		const WIDE_WIDTH = widthOptions.wideWidth ?? FULL_WIDTH_WIDTH;
		const PARSE_BLOCKS = [
			[LATIN_RE, REGULAR_WIDTH],
			[ANSI_RE, ANSI_WIDTH],
			[CONTROL_RE, CONTROL_WIDTH],
			[TAB_RE, TAB_WIDTH],
			[EMOJI_RE, EMOJI_WIDTH],
			[CJKT_WIDE_RE, WIDE_WIDTH]
		];
		let indexPrev = 0;
		let index = 0;
		let length = input.length;
		let lengthExtra = 0;
		let truncationEnabled = false;
		let truncationIndex = length;
		let truncationLimit = Math.max(0, LIMIT - ELLIPSIS_WIDTH);
		let unmatchedStart = 0;
		let unmatchedEnd = 0;
		let width = 0;
		let widthExtra = 0;
		outer: while (true) {
			if (unmatchedEnd > unmatchedStart || index >= length && index > indexPrev) {
				const unmatched = input.slice(unmatchedStart, unmatchedEnd) || input.slice(indexPrev, index);
				lengthExtra = 0;
				for (const char of unmatched.replaceAll(MODIFIER_RE, "")) {
					const codePoint = char.codePointAt(0) || 0;
					if (isFullWidth(codePoint)) widthExtra = FULL_WIDTH_WIDTH;
					else if (isWideNotCJKTNotEmoji(codePoint)) widthExtra = WIDE_WIDTH;
					else widthExtra = REGULAR_WIDTH;
					if (width + widthExtra > truncationLimit) truncationIndex = Math.min(truncationIndex, Math.max(unmatchedStart, indexPrev) + lengthExtra);
					if (width + widthExtra > LIMIT) {
						truncationEnabled = true;
						break outer;
					}
					lengthExtra += char.length;
					width += widthExtra;
				}
				unmatchedStart = unmatchedEnd = 0;
			}
			if (index >= length) break outer;
			for (let i = 0, l = PARSE_BLOCKS.length; i < l; i++) {
				const [BLOCK_RE, BLOCK_WIDTH] = PARSE_BLOCKS[i];
				BLOCK_RE.lastIndex = index;
				if (BLOCK_RE.test(input)) {
					lengthExtra = BLOCK_RE === CJKT_WIDE_RE ? getCodePointsLength(input.slice(index, BLOCK_RE.lastIndex)) : BLOCK_RE === EMOJI_RE ? 1 : BLOCK_RE.lastIndex - index;
					widthExtra = lengthExtra * BLOCK_WIDTH;
					if (width + widthExtra > truncationLimit) truncationIndex = Math.min(truncationIndex, index + Math.floor((truncationLimit - width) / BLOCK_WIDTH));
					if (width + widthExtra > LIMIT) {
						truncationEnabled = true;
						break outer;
					}
					width += widthExtra;
					unmatchedStart = indexPrev;
					unmatchedEnd = index;
					index = indexPrev = BLOCK_RE.lastIndex;
					continue outer;
				}
			}
			index += 1;
		}
		return {
			width: truncationEnabled ? truncationLimit : width,
			index: truncationEnabled ? truncationIndex : length,
			truncated: truncationEnabled,
			ellipsed: truncationEnabled && LIMIT >= ELLIPSIS_WIDTH
		};
	};
}));
// node_modules/fast-string-width/dist/index.js
var NO_TRUNCATION, fastStringWidth;
var init_dist$3 = __esmMin((() => {
	init_dist$4();
	NO_TRUNCATION = {
		limit: Infinity,
		ellipsis: "",
		ellipsisWidth: 0
	};
	fastStringWidth = (input, options = {}) => {
		return getStringTruncatedWidth(input, NO_TRUNCATION, options).width;
	};
}));
// packages/cli/src/output.ts
init_dist$3();
const CONTROL = /(?![\t\n])\p{Cc}|[\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
function plain(text) {
	return text.replace(CONTROL, "");
}
function fit(text, width) {
	const line = plain(text).replace(/\s+/g, " ").trim();
	if (fastStringWidth(line) <= width) return line;
	const kept = [];
	let used = 1;
	for (const { segment } of new Intl.Segmenter().segment(line)) {
		used += fastStringWidth(segment);
		if (used > width) break;
		kept.push(segment);
	}
	return `${kept.join("").trimEnd()}…`;
}
function padded(text, width) {
	return text + " ".repeat(Math.max(0, width - fastStringWidth(text)));
}
function json(value, indent) {
	return (JSON.stringify(value, null, indent) ?? "null").replace(/[\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
const gap = 2;
function layOut(cells, columns) {
	const widths = (cells[0] ?? []).map((_, at) => Math.max(...cells.map((row) => fastStringWidth(row[at] ?? ""))));
	const total = () => widths.reduce((sum, width) => sum + width, gap * (widths.length - 1));
	while (total() > columns) {
		const widest = Math.max(...widths);
		if (widest <= 8) break;
		widths[widths.indexOf(widest)] = widest - 1;
	}
	return cells.map((row) => row.map((cell, at) => padded(fit(cell, widths[at] ?? 0), widths[at] ?? 0)));
}
function createOutput(io, flags) {
	const { stdout, stderr } = io;
	const isJson = flags.json ?? !stdout.isTty;
	const canReplace = stderr.isTty && io.env.TERM !== "dumb" && !flags.quiet;
	let shown = false;
	const clear = () => {
		if (shown) stderr.write("\r\x1B[2K");
		shown = false;
	};
	const line = (text) => {
		clear();
		stdout.write(`${text}\n`);
	};
	return {
		isJson,
		record: (value, human) => isJson ? line(json(value, stdout.isTty ? 2 : void 0)) : human().forEach(line),
		table: (rows, columns, empty) => {
			if (isJson) return line(json(rows, stdout.isTty ? 2 : void 0));
			if (rows.length === 0) return void stderr.write(`${empty}\n`);
			const cells = layOut([columns.map(({ title }) => title), ...rows.map((row) => columns.map(({ of }) => plain(of(row))))], stdout.isTty ? stdout.columns : Number.POSITIVE_INFINITY);
			const separator = " ".repeat(gap);
			cells.forEach((row, at) => {
				const record = rows[at - 1];
				const styled = row.map((cell, column) => {
					const format = record === void 0 ? "dim" : columns[column]?.style?.(record);
					return format === void 0 ? cell : stdout.style(format, cell);
				});
				line(styled.join(separator).trimEnd());
			});
		},
		entry: (value, human) => line(isJson ? json(value) : human()),
		text: (text) => stdout.write(text),
		say: (text) => {
			if (flags.quiet) return;
			clear();
			stderr.write(`${text}\n`);
		},
		progress: (text) => {
			if (!canReplace) return;
			clear();
			if (text === null) return;
			stderr.write(stderr.style("dim", fit(text, stderr.columns - 1)));
			shown = true;
		},
		failure: (failure) => {
			clear();
			if (flags.json || isJson && !stderr.isTty) return stderr.write(`${json({ error: {
				...failure.body,
				hint: failure.hint
			} })}\n`);
			const { code, requestId } = failure.body;
			const where = requestId === void 0 ? "" : stderr.style("dim", ` (${code}, ${plain(requestId)})`);
			stderr.write(`${stderr.style("red", "hookline:")} ${plain(failure.message)}${where}\n`);
			if (failure.hint) stderr.write(`  ${stderr.style("cyan", plain(failure.hint))}\n`);
		},
		style: (format, text) => stdout.style(format, text),
		note: (text) => stderr.style("dim", text)
	};
}
// packages/cli/src/commands/api.ts
function addApi(program, bind) {
	const collect = (value, before) => [...before, value];
	program.command("api <method> <path>").description("call any route of the API and print its answer").option("--data <json>", "the body: JSON, @file, or - for standard input").option("-f, --field <name=value>", "a text in the body, or in the query of a GET; repeatable", collect, []).option("-F, --typed-field <name=value>", "the same; true, false, null and numbers are not texts", collect, []).option("--idempotency-key <key>", "for a POST (default: a new one)").addHelpText("after", `
The path is below the base URL. Approving is not here: hookline review.

Examples:
  hookline api GET /credits
  hookline api GET /content -f status=ready -F limit=5
  hookline api POST /apps --data @app.json
  hookline api PATCH /schedules/schedule_01k9… -f scheduledFor=2026-12-24T08:00:00Z`).action(bind(api));
}
const methods = [
	"GET",
	"POST",
	"PATCH",
	"DELETE"
];
async function api(run, givenMethod, path, options) {
	const method = givenMethod.toUpperCase();
	if (!methods.includes(method)) throw usage(`"${givenMethod}" is not a method; there are ${methods.join(", ")}.`);
	if (!path.startsWith("/") || path.startsWith("//")) throw usage(`"${path}" is not a path below the base URL; one looks like /content.`);
	refuseApproval(path);
	const fields = {
		...pairs(options.field, (text) => text),
		...pairs(options.typedField, typed)
	};
	const hasFields = Object.keys(fields).length > 0;
	if (options.data !== void 0 && hasFields) throw usage("--data and fields exclude each other.");
	const isQuery = method === "GET" || method === "DELETE";
	if (isQuery && options.data !== void 0) throw usage(`A ${method} has no body: give -f name=value for the query.`);
	const body = options.data === void 0 ? fields : await readBody(run, options.data);
	const [below = "", search = ""] = path.split("?", 2);
	const query = {
		...Object.fromEntries(new URLSearchParams(search)),
		...isQuery ? fields : {}
	};
	const hasBody = !isQuery && (hasFields || options.data !== void 0);
	const envelope = await run.client().request(method, below, {
		query,
		...hasBody ? { body } : {}
	}, { idempotencyKey: options.idempotencyKey });
	run.out.record(envelope, () => JSON.stringify(envelope, null, 2).split("\n").map(plain));
}
function refuseApproval(path) {
	let decoded = path;
	try {
		decoded = decodeURIComponent(new URL(path, "http://localhost").pathname);
	} catch {
		throw usage(`"${path}" is not a path.`);
	}
	if (!/\/content\/[^/]+\/approve\/*$/i.test(decoded)) return;
	throw noAccess("Decks are approved by a person.", "hookline review");
}
function pairs(given, read) {
	return Object.fromEntries(given.map((pair) => {
		const at = pair.indexOf("=");
		if (at < 1) throw usage(`"${pair}" is not name=value.`);
		return [pair.slice(0, at), read(pair.slice(at + 1))];
	}));
}
function typed(text) {
	return /^-?(0|[1-9]\d{0,14})(\.\d+)?$/.test(text) || [
		"true",
		"false",
		"null"
	].includes(text) ? JSON.parse(text) : text;
}
async function readBody({ io }, given) {
	let text = given;
	if (given === "-") {
		text = "";
		for await (const chunk of io.stdin) text += String(chunk);
	} else if (given.startsWith("@")) try {
		text = readFileSync(given.slice(1), "utf8");
	} catch {
		throw usage(`${given.slice(1)} cannot be read.`);
	}
	try {
		return JSON.parse(text);
	} catch (error) {
		throw usage(`--data is not JSON: ${error.message}`);
	}
}
// packages/cli/src/options.ts
init_dist$5();
init_failure();
function readCount(text) {
	const count = Number(text);
	if (!Number.isInteger(count) || count < 1 || count > 1e3) throw new InvalidArgumentError("It must be an integer from 1 to 1000.");
	return count;
}
function readSlides(text) {
	const slides = Number(text);
	if (!Number.isInteger(slides) || slides < 2 || slides > 10) throw new InvalidArgumentError("It must be an integer from 2 to 10.");
	return slides;
}
function readSeconds(text) {
	const seconds = Number(text);
	if (!(seconds > 0 && seconds <= 3600)) throw new InvalidArgumentError("It must be a number of seconds up to 3600.");
	return seconds;
}
async function findApp(client, given) {
	if (given?.startsWith("product_")) return given;
	const apps = await client.apps.list({ limit: 100 }).toArray();
	return onlyOne(apps.filter((app) => given === void 0 || app.name.toLowerCase() === given.toLowerCase()), given, "app", apps.map((app) => `${app.name} (${app.id})`), "hookline apps import <storeUrl>").id;
}
async function findAccount(client, given) {
	const accounts = await client.accounts.list({ limit: 100 }).toArray();
	const handle = given?.replace(/^@/, "").toLowerCase();
	return onlyOne(accounts.filter((account) => given === void 0 ? account.status === "connected" : account.id === given || account.username.toLowerCase() === handle), given, "account", accounts.map((account) => `@${account.username} (${account.id})`), "hookline open accounts");
}
function onlyOne(found, given, what, names, howToAdd) {
	const [first, second] = found;
	if (first !== void 0 && second === void 0) return first;
	if (names.length === 0) throw usage(`There is no ${what} yet.`, howToAdd);
	const list = `${names.slice(0, 10).join(", ")}${names.length > 10 ? ", …" : ""}`;
	if (given === void 0) throw usage(`--${what} is needed: there are ${list}.`);
	if (second !== void 0) throw usage(`"${given}" names several: give the id of one. There are ${list}.`);
	throw usage(`There is no ${what} "${given}"; there are ${list}.`);
}
function isNotFound(error) {
	return error instanceof HooklineError && error.code === "not_found";
}
// packages/cli/src/when.ts
init_failure();
const dayNames = [
	"sunday",
	"monday",
	"tuesday",
	"wednesday",
	"thursday",
	"friday",
	"saturday"
];
const unitsMs = [
	6e4,
	36e5,
	864e5,
	6048e5
];
const forms = "\"tomorrow 9:00\", \"fri 18:30\", \"in 2 hours\", \"2026-12-24 09:00\" or an ISO 8601 time";
function checkZone(zone) {
	try {
		return new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone;
	} catch {
		throw usage(`"${zone}" is not a time zone; one looks like Europe/Berlin.`);
	}
}
function systemZone() {
	return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
function wallOf(at, zone) {
	const parts = new Intl.DateTimeFormat("en-u-ca-iso8601-nu-latn", {
		timeZone: zone,
		hourCycle: "h23",
		year: "numeric",
		month: "numeric",
		day: "numeric",
		hour: "numeric",
		minute: "numeric"
	}).formatToParts(at);
	const number = (type) => Number(parts.find((part) => part.type === type)?.value);
	return {
		year: number("year"),
		month: number("month"),
		day: number("day"),
		hour: number("hour"),
		minute: number("minute")
	};
}
const asUtc = (wall) => Date.UTC(wall.year, wall.month - 1, wall.day, wall.hour, wall.minute);
function instantsOf(wall, zone) {
	const shown = asUtc(wall);
	const offsets = [
		-14,
		0,
		14
	].map((hours) => {
		const near = new Date(shown + hours * 36e5);
		return asUtc(wallOf(near, zone)) - Math.floor(near.getTime() / 6e4) * 6e4;
	});
	return [...new Set(offsets)].map((offset) => new Date(shown - offset)).filter((at) => asUtc(wallOf(at, zone)) === shown).sort((left, right) => left.getTime() - right.getTime());
}
function inZone(wall, zone) {
	const [first, second] = instantsOf(wall, zone);
	if (first === void 0) throw usage(`${wallText(wall)} does not exist in ${zone}: clocks are set forward then.`);
	return {
		at: first,
		note: second === void 0 ? null : `${wallText(wall)} comes twice in ${zone}; this is the first.`
	};
}
const two = (value) => String(value).padStart(2, "0");
const wallText = ({ year, month, day, hour, minute }) => `${year}-${two(month)}-${two(day)} ${two(hour)}:${two(minute)}`;
function readTime(text) {
	const match = /^(\d{1,2})(?::(\d{2}))?\s*(am|pm)?$/.exec(text);
	if (match === null || match[2] === void 0 && match[3] === void 0) return null;
	const [, hours, minutes = "0", half] = match;
	let hour = Number(hours);
	const minute = Number(minutes);
	if (half !== void 0 && (hour < 1 || hour > 12)) return null;
	if (half !== void 0) hour = hour % 12 + (half === "pm" ? 12 : 0);
	return hour > 23 || minute > 59 ? null : {
		hour,
		minute
	};
}
function readDay(word, today) {
	if (word === "today") return {
		days: 0,
		week: false
	};
	if (word === "tomorrow") return {
		days: 1,
		week: false
	};
	const named = dayNames.findIndex((name) => word.length >= 3 && name.startsWith(word));
	if (named < 0) return null;
	return {
		days: (named - new Date(asUtc(today)).getUTCDay() + 7) % 7,
		week: true
	};
}
function parseWhen(text, now, zone) {
	const given = text.trim().toLowerCase().replace(/\s+/g, " ").replace(" at ", " ");
	if (given === "now") return {
		at: now,
		note: null
	};
	const relative = /^(?:in |\+) ?(\d{1,4}) ?(?:(m|mins?|minutes?)|(h|hours?)|(d|days?)|(w|weeks?))$/.exec(given);
	if (relative) {
		const [, count, ...found] = relative;
		const unit = unitsMs[found.findIndex(Boolean)] ?? 0;
		return {
			at: new Date(now.getTime() + Number(count) * unit),
			note: null
		};
	}
	const today = wallOf(now, zone);
	const dated = /^(\d{4})-(\d{2})-(\d{2})[t ](.+)$/.exec(given);
	if (dated) return readDated(text, dated, zone);
	const [word = "", ...rest] = given.split(" ");
	const day = readDay(word, today);
	const time = readTime(day === null ? given : rest.join(" "));
	if (time === null) throw usage(`"${text}" is not a time: write ${forms}.`);
	const at = (days) => {
		const date = new Date(Date.UTC(today.year, today.month - 1, today.day + days));
		return inZone({
			year: date.getUTCFullYear(),
			month: date.getUTCMonth() + 1,
			day: date.getUTCDate(),
			...time
		}, zone);
	};
	const first = at(day?.days ?? 0);
	if (first.at > now) return first;
	if (day === null) return at(1);
	if (day.week) return at(day.days + 7);
	throw usage(`"${text}" has passed.`);
}
function readDated(text, [, year, month, day, rest = ""], zone) {
	const wrong = () => usage(`"${text}" is not a time: write ${forms}.`);
	if (/(?:z|[+-]\d{2}:?\d{2})$/.test(rest)) {
		const at = new Date(text.trim().replace(/^(\S+)\s+/, "$1T"));
		if (Number.isNaN(at.getTime())) throw wrong();
		return {
			at,
			note: null
		};
	}
	const time = readTime(rest.replace(/^(\d{2}:\d{2}):\d{2}(\.\d+)?$/, "$1"));
	const wall = {
		year: Number(year),
		month: Number(month),
		day: Number(day)
	};
	const isDay = new Date(Date.UTC(wall.year, wall.month - 1, wall.day)).getUTCDate() === wall.day;
	if (time === null || !isDay || wall.month > 12) throw wrong();
	return inZone({
		...wall,
		...time
	}, zone);
}
function inWords(at, zone) {
	return `${new Intl.DateTimeFormat("en-GB", {
		timeZone: zone,
		weekday: "short",
		day: "numeric",
		month: "short",
		year: "numeric",
		hour: "2-digit",
		minute: "2-digit"
	}).format(at)} ${zone}`;
}
function clock(iso) {
	const at = new Date(iso);
	if (Number.isNaN(at.getTime())) return iso;
	return `${wallText(wallOf(at, systemZone()))}:${two(at.getUTCSeconds())}`;
}
function distance(iso, now) {
	const ms = new Date(iso).getTime() - now.getTime();
	const size = Math.abs(ms);
	if (size < 1e3) return "now";
	const [unit, name] = [
		[864e5, "d"],
		[36e5, "h"],
		[6e4, "min"]
	].find(([length]) => size >= length) ?? [1e3, "s"];
	const amount = `${Math.round(size / unit)} ${name}`;
	return ms > 0 ? `in ${amount}` : `${amount} ago`;
}
// packages/cli/src/commands/apps.ts
init_failure();
function addApps(program, bind) {
	const apps = program.command("apps").description("the apps that decks are made for");
	apps.command("import <storeUrl>").description("register an app from its App Store or Google Play page; costs nothing").option("--name <name>", "its name in Hookline (default: from the address)").addHelpText("after", `
Example:
  hookline apps import https://apps.apple.com/us/app/pebblo-tiny-habit-tracker/id9990000011 --name Pebblo`).action(bind(importApp));
	apps.command("ls").description("list apps, newest first").option("--limit <n>", "how many", readCount, 20).action(bind(listApps));
}
async function importApp(run, storeUrl, options) {
	const name = options.name ?? nameOf(storeUrl);
	run.out.progress("Reading the store page…");
	const app = await run.client().apps.create({
		name,
		appStoreUrl: storeUrl
	});
	run.out.progress(null);
	run.out.record(app, () => [`${run.out.style("green", "✓")} ${plain(app.name)}  ${run.out.style("dim", app.id)}`, ...(app.seedHooks ?? []).slice(0, 5).map((hook) => `  “${plain(hook)}”`)]);
	run.out.say(run.out.note(`Next: hookline content create --app "${plain(app.name)}"`));
}
function nameOf(storeUrl) {
	try {
		const url = new URL(storeUrl);
		const slug = /\/app\/([^/]+)\/id\d+/.exec(url.pathname)?.[1] ?? url.searchParams.get("id")?.split(".").at(-1);
		const words = decodeURIComponent(slug ?? "").replace(/[-_]+/g, " ").trim();
		if (words !== "") return words.charAt(0).toUpperCase() + words.slice(1);
	} catch {}
	throw usage("The address names no app: give one with --name.");
}
async function listApps(run, { limit }) {
	const apps = await run.client().apps.list({ limit: Math.min(100, limit) }).toArray(limit);
	run.out.table(apps, [
		{
			title: "ID",
			of: (app) => app.id
		},
		{
			title: "NAME",
			of: (app) => app.name,
			style: () => "bold"
		},
		{
			title: "ABOUT",
			of: (app) => app.details
		},
		{
			title: "MADE",
			of: (app) => distance(app.createdAt, run.io.now())
		}
	], "There are no apps yet: hookline apps import <storeUrl>");
}
// packages/cli/src/commands/completion.ts
init_failure();
const shells = [
	"bash",
	"zsh",
	"fish"
];
function addCompletion(program, bind) {
	program.command("completion").addArgument(new Argument("<shell>", shells.join(", "))).description("print a script that completes commands and flags").addHelpText("after", `
Examples:
  hookline completion bash > ~/.local/share/bash-completion/completions/hookline
  hookline completion zsh > "\${fpath[1]}/_hookline"
  hookline completion fish > ~/.config/fish/completions/hookline.fish`).action(bind(async (run, shell) => {
		const script = scripts[shell];
		if (script === void 0) throw usage(`There is no completion for "${shell}"; there is ${shells.join(", ")}.`);
		run.out.text(script(wordsOf(program)));
	}));
}
function wordsOf(program) {
	const globals = flagsOf(program);
	const visit = (command, path) => [{
		path,
		about: command.description(),
		commands: [...command.commands],
		flags: [
			...flagsOf(command),
			...command === program ? [] : globals,
			"--help"
		]
	}, ...command.commands.flatMap((child) => visit(child, `${path} ${child.name()}`.trim()))];
	return visit(program, "");
}
function flagsOf(command) {
	return command.options.flatMap(({ long }) => long ? [long] : []);
}
const scripts = {
	bash: (words) => `# bash completion of hookline
_hookline() {
  local command="" word at
  for ((at = 1; at < COMP_CWORD; at++)); do
    word="\${COMP_WORDS[at]}"
    case "$command $word" in
${words.filter(({ path }) => path !== "").map(({ path }) => `      "${path.includes(" ") ? path : ` ${path}`}") command="${path}" ;;`).join("\n")}
    esac
  done
  local words
  case "$command" in
${words.map(({ path, commands, flags }) => `    "${path}") words="${[...commands.map((one) => one.name()), ...flags].join(" ")}" ;;`).join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _hookline hookline
`,
	zsh: (words) => `#compdef hookline
_hookline() {
  local command="" word
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$command $word" in
${words.filter(({ path }) => path !== "").map(({ path }) => `      "${path.includes(" ") ? path : ` ${path}`}") command="${path}" ;;`).join("\n")}
    esac
  done
  local -a commands flags
  case "$command" in
${words.map(({ path, commands, flags }) => {
		return `    "${path}") commands=(${commands.map((one) => `'${one.name()}:${one.description().replace(/[':]/g, " ")}'`).join(" ")}); flags=(${flags.join(" ")}) ;;`;
	}).join("\n")}
  esac
  (( \${#commands} )) && _describe 'command' commands
  compadd -- $flags
  _files
}
compdef _hookline hookline
`,
	fish: (words) => `# fish completion of hookline
function __hookline_command
  set -l command ""
  for word in (commandline -opc)[2..]
    switch "$command $word"
${words.filter(({ path }) => path !== "").map(({ path }) => `      case "${path.includes(" ") ? path : ` ${path}`}"\n        set command "${path}"`).join("\n")}
    end
  end
  echo $command
end
${words.flatMap(({ path, commands, flags }) => [...commands.map((one) => `complete -c hookline -f -n 'test (__hookline_command) = "${path}"' -a ${one.name()} -d '${one.description().replace(/'/g, "")}'`), ...flags.map((flag) => `complete -c hookline -n 'test (__hookline_command) = "${path}"' -l ${flag.slice(2)}`)]).join("\n")}
`
};
// packages/cli/src/deck.ts
function closingField({ brief }) {
	if (brief?.ctaMode === "none") return null;
	return brief?.ctaMode === "direct" ? "ctaHard" : "ctaSoft";
}
function slideTexts(content) {
	const { result } = content;
	if (result === null) return [];
	const closing = closingField(content);
	return [
		result.hook,
		...result.bodySlides.map(({ text }) => text),
		...closing === null ? [] : [result[closing]]
	];
}
// packages/cli/src/links.ts
function productUrl(baseUrl) {
	return baseUrl.replace(/\/api\/v1$/, "");
}
function consoleUrl(baseUrl, page) {
	return `${productUrl(baseUrl)}/console${pages[page]}`;
}
function approveUrl(baseUrl, contentId) {
	return `${consoleUrl(baseUrl, "approve")}?deck=${encodeURIComponent(contentId)}`;
}
function sessionBaseUrl(baseUrl) {
	return `${productUrl(baseUrl)}/console/api/v1`;
}
var pages, consolePages;
var init_links = __esmMin((() => {
	pages = {
		home: "",
		approve: "/approve",
		calendar: "/calendar",
		posts: "/posts",
		automations: "/automations",
		apps: "/apps",
		accounts: "/accounts",
		webhooks: "/webhooks",
		events: "/events",
		keys: "/keys",
		credits: "/credits",
		usage: "/usage",
		numbers: "/numbers",
		members: "/members",
		settings: "/settings"
	};
	consolePages = Object.keys(pages);
}));
// node_modules/jpeg-js/lib/encoder.js
var require_encoder = __commonJSMin(((exports, module) => {
	function JPEGEncoder(quality) {
		var ffloor = Math.floor;
		var YTable = new Array(64);
		var UVTable = new Array(64);
		var fdtbl_Y = new Array(64);
		var fdtbl_UV = new Array(64);
		var YDC_HT;
		var UVDC_HT;
		var YAC_HT;
		var UVAC_HT;
		var bitcode = new Array(65535);
		var category = new Array(65535);
		var outputfDCTQuant = new Array(64);
		var DU = new Array(64);
		var byteout = [];
		var bytenew = 0;
		var bytepos = 7;
		var YDU = new Array(64);
		var UDU = new Array(64);
		var VDU = new Array(64);
		var clt = new Array(256);
		var RGB_YUV_TABLE = new Array(2048);
		var currentQuality;
		var ZigZag = [
			0,
			1,
			5,
			6,
			14,
			15,
			27,
			28,
			2,
			4,
			7,
			13,
			16,
			26,
			29,
			42,
			3,
			8,
			12,
			17,
			25,
			30,
			41,
			43,
			9,
			11,
			18,
			24,
			31,
			40,
			44,
			53,
			10,
			19,
			23,
			32,
			39,
			45,
			52,
			54,
			20,
			22,
			33,
			38,
			46,
			51,
			55,
			60,
			21,
			34,
			37,
			47,
			50,
			56,
			59,
			61,
			35,
			36,
			48,
			49,
			57,
			58,
			62,
			63
		];
		var std_dc_luminance_nrcodes = [
			0,
			0,
			1,
			5,
			1,
			1,
			1,
			1,
			1,
			1,
			0,
			0,
			0,
			0,
			0,
			0,
			0
		];
		var std_dc_luminance_values = [
			0,
			1,
			2,
			3,
			4,
			5,
			6,
			7,
			8,
			9,
			10,
			11
		];
		var std_ac_luminance_nrcodes = [
			0,
			0,
			2,
			1,
			3,
			3,
			2,
			4,
			3,
			5,
			5,
			4,
			4,
			0,
			0,
			1,
			125
		];
		var std_ac_luminance_values = [
			1,
			2,
			3,
			0,
			4,
			17,
			5,
			18,
			33,
			49,
			65,
			6,
			19,
			81,
			97,
			7,
			34,
			113,
			20,
			50,
			129,
			145,
			161,
			8,
			35,
			66,
			177,
			193,
			21,
			82,
			209,
			240,
			36,
			51,
			98,
			114,
			130,
			9,
			10,
			22,
			23,
			24,
			25,
			26,
			37,
			38,
			39,
			40,
			41,
			42,
			52,
			53,
			54,
			55,
			56,
			57,
			58,
			67,
			68,
			69,
			70,
			71,
			72,
			73,
			74,
			83,
			84,
			85,
			86,
			87,
			88,
			89,
			90,
			99,
			100,
			101,
			102,
			103,
			104,
			105,
			106,
			115,
			116,
			117,
			118,
			119,
			120,
			121,
			122,
			131,
			132,
			133,
			134,
			135,
			136,
			137,
			138,
			146,
			147,
			148,
			149,
			150,
			151,
			152,
			153,
			154,
			162,
			163,
			164,
			165,
			166,
			167,
			168,
			169,
			170,
			178,
			179,
			180,
			181,
			182,
			183,
			184,
			185,
			186,
			194,
			195,
			196,
			197,
			198,
			199,
			200,
			201,
			202,
			210,
			211,
			212,
			213,
			214,
			215,
			216,
			217,
			218,
			225,
			226,
			227,
			228,
			229,
			230,
			231,
			232,
			233,
			234,
			241,
			242,
			243,
			244,
			245,
			246,
			247,
			248,
			249,
			250
		];
		var std_dc_chrominance_nrcodes = [
			0,
			0,
			3,
			1,
			1,
			1,
			1,
			1,
			1,
			1,
			1,
			1,
			0,
			0,
			0,
			0,
			0
		];
		var std_dc_chrominance_values = [
			0,
			1,
			2,
			3,
			4,
			5,
			6,
			7,
			8,
			9,
			10,
			11
		];
		var std_ac_chrominance_nrcodes = [
			0,
			0,
			2,
			1,
			2,
			4,
			4,
			3,
			4,
			7,
			5,
			4,
			4,
			0,
			1,
			2,
			119
		];
		var std_ac_chrominance_values = [
			0,
			1,
			2,
			3,
			17,
			4,
			5,
			33,
			49,
			6,
			18,
			65,
			81,
			7,
			97,
			113,
			19,
			34,
			50,
			129,
			8,
			20,
			66,
			145,
			161,
			177,
			193,
			9,
			35,
			51,
			82,
			240,
			21,
			98,
			114,
			209,
			10,
			22,
			36,
			52,
			225,
			37,
			241,
			23,
			24,
			25,
			26,
			38,
			39,
			40,
			41,
			42,
			53,
			54,
			55,
			56,
			57,
			58,
			67,
			68,
			69,
			70,
			71,
			72,
			73,
			74,
			83,
			84,
			85,
			86,
			87,
			88,
			89,
			90,
			99,
			100,
			101,
			102,
			103,
			104,
			105,
			106,
			115,
			116,
			117,
			118,
			119,
			120,
			121,
			122,
			130,
			131,
			132,
			133,
			134,
			135,
			136,
			137,
			138,
			146,
			147,
			148,
			149,
			150,
			151,
			152,
			153,
			154,
			162,
			163,
			164,
			165,
			166,
			167,
			168,
			169,
			170,
			178,
			179,
			180,
			181,
			182,
			183,
			184,
			185,
			186,
			194,
			195,
			196,
			197,
			198,
			199,
			200,
			201,
			202,
			210,
			211,
			212,
			213,
			214,
			215,
			216,
			217,
			218,
			226,
			227,
			228,
			229,
			230,
			231,
			232,
			233,
			234,
			242,
			243,
			244,
			245,
			246,
			247,
			248,
			249,
			250
		];
		function initQuantTables(sf) {
			var YQT = [
				16,
				11,
				10,
				16,
				24,
				40,
				51,
				61,
				12,
				12,
				14,
				19,
				26,
				58,
				60,
				55,
				14,
				13,
				16,
				24,
				40,
				57,
				69,
				56,
				14,
				17,
				22,
				29,
				51,
				87,
				80,
				62,
				18,
				22,
				37,
				56,
				68,
				109,
				103,
				77,
				24,
				35,
				55,
				64,
				81,
				104,
				113,
				92,
				49,
				64,
				78,
				87,
				103,
				121,
				120,
				101,
				72,
				92,
				95,
				98,
				112,
				100,
				103,
				99
			];
			for (var i = 0; i < 64; i++) {
				var t = ffloor((YQT[i] * sf + 50) / 100);
				if (t < 1) t = 1;
				else if (t > 255) t = 255;
				YTable[ZigZag[i]] = t;
			}
			var UVQT = [
				17,
				18,
				24,
				47,
				99,
				99,
				99,
				99,
				18,
				21,
				26,
				66,
				99,
				99,
				99,
				99,
				24,
				26,
				56,
				99,
				99,
				99,
				99,
				99,
				47,
				66,
				99,
				99,
				99,
				99,
				99,
				99,
				99,
				99,
				99,
				99,
				99,
				99,
				99,
				99,
				99,
				99,
				99,
				99,
				99,
				99,
				99,
				99,
				99,
				99,
				99,
				99,
				99,
				99,
				99,
				99,
				99,
				99,
				99,
				99,
				99,
				99,
				99,
				99
			];
			for (var j = 0; j < 64; j++) {
				var u = ffloor((UVQT[j] * sf + 50) / 100);
				if (u < 1) u = 1;
				else if (u > 255) u = 255;
				UVTable[ZigZag[j]] = u;
			}
			var aasf = [
				1,
				1.387039845,
				1.306562965,
				1.175875602,
				1,
				.785694958,
				.5411961,
				.275899379
			];
			var k = 0;
			for (var row = 0; row < 8; row++) for (var col = 0; col < 8; col++) {
				fdtbl_Y[k] = 1 / (YTable[ZigZag[k]] * aasf[row] * aasf[col] * 8);
				fdtbl_UV[k] = 1 / (UVTable[ZigZag[k]] * aasf[row] * aasf[col] * 8);
				k++;
			}
		}
		function computeHuffmanTbl(nrcodes, std_table) {
			var codevalue = 0;
			var pos_in_table = 0;
			var HT = new Array();
			for (var k = 1; k <= 16; k++) {
				for (var j = 1; j <= nrcodes[k]; j++) {
					HT[std_table[pos_in_table]] = [];
					HT[std_table[pos_in_table]][0] = codevalue;
					HT[std_table[pos_in_table]][1] = k;
					pos_in_table++;
					codevalue++;
				}
				codevalue *= 2;
			}
			return HT;
		}
		function initHuffmanTbl() {
			YDC_HT = computeHuffmanTbl(std_dc_luminance_nrcodes, std_dc_luminance_values);
			UVDC_HT = computeHuffmanTbl(std_dc_chrominance_nrcodes, std_dc_chrominance_values);
			YAC_HT = computeHuffmanTbl(std_ac_luminance_nrcodes, std_ac_luminance_values);
			UVAC_HT = computeHuffmanTbl(std_ac_chrominance_nrcodes, std_ac_chrominance_values);
		}
		function initCategoryNumber() {
			var nrlower = 1;
			var nrupper = 2;
			for (var cat = 1; cat <= 15; cat++) {
				for (var nr = nrlower; nr < nrupper; nr++) {
					category[32767 + nr] = cat;
					bitcode[32767 + nr] = [];
					bitcode[32767 + nr][1] = cat;
					bitcode[32767 + nr][0] = nr;
				}
				for (var nrneg = -(nrupper - 1); nrneg <= -nrlower; nrneg++) {
					category[32767 + nrneg] = cat;
					bitcode[32767 + nrneg] = [];
					bitcode[32767 + nrneg][1] = cat;
					bitcode[32767 + nrneg][0] = nrupper - 1 + nrneg;
				}
				nrlower <<= 1;
				nrupper <<= 1;
			}
		}
		function initRGBYUVTable() {
			for (var i = 0; i < 256; i++) {
				RGB_YUV_TABLE[i] = 19595 * i;
				RGB_YUV_TABLE[i + 256 >> 0] = 38470 * i;
				RGB_YUV_TABLE[i + 512 >> 0] = 7471 * i + 32768;
				RGB_YUV_TABLE[i + 768 >> 0] = -11059 * i;
				RGB_YUV_TABLE[i + 1024 >> 0] = -21709 * i;
				RGB_YUV_TABLE[i + 1280 >> 0] = 32768 * i + 8421375;
				RGB_YUV_TABLE[i + 1536 >> 0] = -27439 * i;
				RGB_YUV_TABLE[i + 1792 >> 0] = -5329 * i;
			}
		}
		function writeBits(bs) {
			var value = bs[0];
			var posval = bs[1] - 1;
			while (posval >= 0) {
				if (value & 1 << posval) bytenew |= 1 << bytepos;
				posval--;
				bytepos--;
				if (bytepos < 0) {
					if (bytenew == 255) {
						writeByte(255);
						writeByte(0);
					} else writeByte(bytenew);
					bytepos = 7;
					bytenew = 0;
				}
			}
		}
		function writeByte(value) {
			byteout.push(value);
		}
		function writeWord(value) {
			writeByte(value >> 8 & 255);
			writeByte(value & 255);
		}
		function fDCTQuant(data, fdtbl) {
			var d0, d1, d2, d3, d4, d5, d6, d7;
			var dataOff = 0;
			var i;
			var I8 = 8;
			var I64 = 64;
			for (i = 0; i < I8; ++i) {
				d0 = data[dataOff];
				d1 = data[dataOff + 1];
				d2 = data[dataOff + 2];
				d3 = data[dataOff + 3];
				d4 = data[dataOff + 4];
				d5 = data[dataOff + 5];
				d6 = data[dataOff + 6];
				d7 = data[dataOff + 7];
				var tmp0 = d0 + d7;
				var tmp7 = d0 - d7;
				var tmp1 = d1 + d6;
				var tmp6 = d1 - d6;
				var tmp2 = d2 + d5;
				var tmp5 = d2 - d5;
				var tmp3 = d3 + d4;
				var tmp4 = d3 - d4;
				var tmp10 = tmp0 + tmp3;
				var tmp13 = tmp0 - tmp3;
				var tmp11 = tmp1 + tmp2;
				var tmp12 = tmp1 - tmp2;
				data[dataOff] = tmp10 + tmp11;
				data[dataOff + 4] = tmp10 - tmp11;
				var z1 = (tmp12 + tmp13) * .707106781;
				data[dataOff + 2] = tmp13 + z1;
				data[dataOff + 6] = tmp13 - z1;
				tmp10 = tmp4 + tmp5;
				tmp11 = tmp5 + tmp6;
				tmp12 = tmp6 + tmp7;
				var z5 = (tmp10 - tmp12) * .382683433;
				var z2 = .5411961 * tmp10 + z5;
				var z4 = 1.306562965 * tmp12 + z5;
				var z3 = tmp11 * .707106781;
				var z11 = tmp7 + z3;
				var z13 = tmp7 - z3;
				data[dataOff + 5] = z13 + z2;
				data[dataOff + 3] = z13 - z2;
				data[dataOff + 1] = z11 + z4;
				data[dataOff + 7] = z11 - z4;
				dataOff += 8;
			}
			dataOff = 0;
			for (i = 0; i < I8; ++i) {
				d0 = data[dataOff];
				d1 = data[dataOff + 8];
				d2 = data[dataOff + 16];
				d3 = data[dataOff + 24];
				d4 = data[dataOff + 32];
				d5 = data[dataOff + 40];
				d6 = data[dataOff + 48];
				d7 = data[dataOff + 56];
				var tmp0p2 = d0 + d7;
				var tmp7p2 = d0 - d7;
				var tmp1p2 = d1 + d6;
				var tmp6p2 = d1 - d6;
				var tmp2p2 = d2 + d5;
				var tmp5p2 = d2 - d5;
				var tmp3p2 = d3 + d4;
				var tmp4p2 = d3 - d4;
				var tmp10p2 = tmp0p2 + tmp3p2;
				var tmp13p2 = tmp0p2 - tmp3p2;
				var tmp11p2 = tmp1p2 + tmp2p2;
				var tmp12p2 = tmp1p2 - tmp2p2;
				data[dataOff] = tmp10p2 + tmp11p2;
				data[dataOff + 32] = tmp10p2 - tmp11p2;
				var z1p2 = (tmp12p2 + tmp13p2) * .707106781;
				data[dataOff + 16] = tmp13p2 + z1p2;
				data[dataOff + 48] = tmp13p2 - z1p2;
				tmp10p2 = tmp4p2 + tmp5p2;
				tmp11p2 = tmp5p2 + tmp6p2;
				tmp12p2 = tmp6p2 + tmp7p2;
				var z5p2 = (tmp10p2 - tmp12p2) * .382683433;
				var z2p2 = .5411961 * tmp10p2 + z5p2;
				var z4p2 = 1.306562965 * tmp12p2 + z5p2;
				var z3p2 = tmp11p2 * .707106781;
				var z11p2 = tmp7p2 + z3p2;
				var z13p2 = tmp7p2 - z3p2;
				data[dataOff + 40] = z13p2 + z2p2;
				data[dataOff + 24] = z13p2 - z2p2;
				data[dataOff + 8] = z11p2 + z4p2;
				data[dataOff + 56] = z11p2 - z4p2;
				dataOff++;
			}
			var fDCTQuant;
			for (i = 0; i < I64; ++i) {
				fDCTQuant = data[i] * fdtbl[i];
				outputfDCTQuant[i] = fDCTQuant > 0 ? fDCTQuant + .5 | 0 : fDCTQuant - .5 | 0;
			}
			return outputfDCTQuant;
		}
		function writeAPP0() {
			writeWord(65504);
			writeWord(16);
			writeByte(74);
			writeByte(70);
			writeByte(73);
			writeByte(70);
			writeByte(0);
			writeByte(1);
			writeByte(1);
			writeByte(0);
			writeWord(1);
			writeWord(1);
			writeByte(0);
			writeByte(0);
		}
		function writeAPP1(exifBuffer) {
			if (!exifBuffer) return;
			writeWord(65505);
			if (exifBuffer[0] === 69 && exifBuffer[1] === 120 && exifBuffer[2] === 105 && exifBuffer[3] === 102) writeWord(exifBuffer.length + 2);
			else {
				writeWord(exifBuffer.length + 5 + 2);
				writeByte(69);
				writeByte(120);
				writeByte(105);
				writeByte(102);
				writeByte(0);
			}
			for (var i = 0; i < exifBuffer.length; i++) writeByte(exifBuffer[i]);
		}
		function writeSOF0(width, height) {
			writeWord(65472);
			writeWord(17);
			writeByte(8);
			writeWord(height);
			writeWord(width);
			writeByte(3);
			writeByte(1);
			writeByte(17);
			writeByte(0);
			writeByte(2);
			writeByte(17);
			writeByte(1);
			writeByte(3);
			writeByte(17);
			writeByte(1);
		}
		function writeDQT() {
			writeWord(65499);
			writeWord(132);
			writeByte(0);
			for (var i = 0; i < 64; i++) writeByte(YTable[i]);
			writeByte(1);
			for (var j = 0; j < 64; j++) writeByte(UVTable[j]);
		}
		function writeDHT() {
			writeWord(65476);
			writeWord(418);
			writeByte(0);
			for (var i = 0; i < 16; i++) writeByte(std_dc_luminance_nrcodes[i + 1]);
			for (var j = 0; j <= 11; j++) writeByte(std_dc_luminance_values[j]);
			writeByte(16);
			for (var k = 0; k < 16; k++) writeByte(std_ac_luminance_nrcodes[k + 1]);
			for (var l = 0; l <= 161; l++) writeByte(std_ac_luminance_values[l]);
			writeByte(1);
			for (var m = 0; m < 16; m++) writeByte(std_dc_chrominance_nrcodes[m + 1]);
			for (var n = 0; n <= 11; n++) writeByte(std_dc_chrominance_values[n]);
			writeByte(17);
			for (var o = 0; o < 16; o++) writeByte(std_ac_chrominance_nrcodes[o + 1]);
			for (var p = 0; p <= 161; p++) writeByte(std_ac_chrominance_values[p]);
		}
		function writeCOM(comments) {
			if (typeof comments === "undefined" || comments.constructor !== Array) return;
			comments.forEach((e) => {
				if (typeof e !== "string") return;
				writeWord(65534);
				var l = e.length;
				writeWord(l + 2);
				var i = 0;
				for (; i < l; i++) writeByte(e.charCodeAt(i));
			});
		}
		function writeSOS() {
			writeWord(65498);
			writeWord(12);
			writeByte(3);
			writeByte(1);
			writeByte(0);
			writeByte(2);
			writeByte(17);
			writeByte(3);
			writeByte(17);
			writeByte(0);
			writeByte(63);
			writeByte(0);
		}
		function processDU(CDU, fdtbl, DC, HTDC, HTAC) {
			var EOB = HTAC[0];
			var M16zeroes = HTAC[240];
			var pos;
			var I16 = 16;
			var I63 = 63;
			var I64 = 64;
			var DU_DCT = fDCTQuant(CDU, fdtbl);
			for (var j = 0; j < I64; ++j) DU[ZigZag[j]] = DU_DCT[j];
			var Diff = DU[0] - DC;
			DC = DU[0];
			if (Diff == 0) writeBits(HTDC[0]);
			else {
				pos = 32767 + Diff;
				writeBits(HTDC[category[pos]]);
				writeBits(bitcode[pos]);
			}
			var end0pos = 63;
			for (; end0pos > 0 && DU[end0pos] == 0; end0pos--);
			if (end0pos == 0) {
				writeBits(EOB);
				return DC;
			}
			var i = 1;
			var lng;
			while (i <= end0pos) {
				var startpos = i;
				for (; DU[i] == 0 && i <= end0pos; ++i);
				var nrzeroes = i - startpos;
				if (nrzeroes >= I16) {
					lng = nrzeroes >> 4;
					for (var nrmarker = 1; nrmarker <= lng; ++nrmarker) writeBits(M16zeroes);
					nrzeroes = nrzeroes & 15;
				}
				pos = 32767 + DU[i];
				writeBits(HTAC[(nrzeroes << 4) + category[pos]]);
				writeBits(bitcode[pos]);
				i++;
			}
			if (end0pos != I63) writeBits(EOB);
			return DC;
		}
		function initCharLookupTable() {
			var sfcc = String.fromCharCode;
			for (var i = 0; i < 256; i++) clt[i] = sfcc(i);
		}
		this.encode = function(image, quality) {
			new Date().getTime();
			if (quality) setQuality(quality);
			byteout = new Array();
			bytenew = 0;
			bytepos = 7;
			writeWord(65496);
			writeAPP0();
			writeCOM(image.comments);
			writeAPP1(image.exifBuffer);
			writeDQT();
			writeSOF0(image.width, image.height);
			writeDHT();
			writeSOS();
			var DCY = 0;
			var DCU = 0;
			var DCV = 0;
			bytenew = 0;
			bytepos = 7;
			this.encode.displayName = "_encode_";
			var imageData = image.data;
			var width = image.width;
			var height = image.height;
			var quadWidth = width * 4;
			width * 3;
			var x, y = 0;
			var r, g, b;
			var start, p, col, row, pos;
			while (y < height) {
				x = 0;
				while (x < quadWidth) {
					start = quadWidth * y + x;
					p = start;
					col = -1;
					row = 0;
					for (pos = 0; pos < 64; pos++) {
						row = pos >> 3;
						col = (pos & 7) * 4;
						p = start + row * quadWidth + col;
						if (y + row >= height) p -= quadWidth * (y + 1 + row - height);
						if (x + col >= quadWidth) p -= x + col - quadWidth + 4;
						r = imageData[p++];
						g = imageData[p++];
						b = imageData[p++];
						YDU[pos] = (RGB_YUV_TABLE[r] + RGB_YUV_TABLE[g + 256 >> 0] + RGB_YUV_TABLE[b + 512 >> 0] >> 16) - 128;
						UDU[pos] = (RGB_YUV_TABLE[r + 768 >> 0] + RGB_YUV_TABLE[g + 1024 >> 0] + RGB_YUV_TABLE[b + 1280 >> 0] >> 16) - 128;
						VDU[pos] = (RGB_YUV_TABLE[r + 1280 >> 0] + RGB_YUV_TABLE[g + 1536 >> 0] + RGB_YUV_TABLE[b + 1792 >> 0] >> 16) - 128;
					}
					DCY = processDU(YDU, fdtbl_Y, DCY, YDC_HT, YAC_HT);
					DCU = processDU(UDU, fdtbl_UV, DCU, UVDC_HT, UVAC_HT);
					DCV = processDU(VDU, fdtbl_UV, DCV, UVDC_HT, UVAC_HT);
					x += 32;
				}
				y += 8;
			}
			if (bytepos >= 0) {
				var fillbits = [];
				fillbits[1] = bytepos + 1;
				fillbits[0] = (1 << bytepos + 1) - 1;
				writeBits(fillbits);
			}
			writeWord(65497);
			if (typeof module === "undefined") return new Uint8Array(byteout);
			return Buffer.from(byteout);
		};
		function setQuality(quality) {
			if (quality <= 0) quality = 1;
			if (quality > 100) quality = 100;
			if (currentQuality == quality) return;
			var sf = 0;
			if (quality < 50) sf = Math.floor(5e3 / quality);
			else sf = Math.floor(200 - quality * 2);
			initQuantTables(sf);
			currentQuality = quality;
		}
		function init() {
			var time_start = new Date().getTime();
			if (!quality) quality = 50;
			initCharLookupTable();
			initHuffmanTbl();
			initCategoryNumber();
			initRGBYUVTable();
			setQuality(quality);
			new Date().getTime() - time_start;
		}
		init();
	}
	if (typeof module !== "undefined") module.exports = encode;
	else if (typeof window !== "undefined") {
		window["jpeg-js"] = window["jpeg-js"] || {};
		window["jpeg-js"].encode = encode;
	}
	function encode(imgData, qu) {
		if (typeof qu === "undefined") qu = 50;
		return {
			data: new JPEGEncoder(qu).encode(imgData, qu),
			width: imgData.width,
			height: imgData.height
		};
	}
}));
// node_modules/jpeg-js/lib/decoder.js
var require_decoder = __commonJSMin(((exports, module) => {
	var JpegImage = (function jpegImage() {
		"use strict";
		var dctZigZag = new Int32Array([
			0,
			1,
			8,
			16,
			9,
			2,
			3,
			10,
			17,
			24,
			32,
			25,
			18,
			11,
			4,
			5,
			12,
			19,
			26,
			33,
			40,
			48,
			41,
			34,
			27,
			20,
			13,
			6,
			7,
			14,
			21,
			28,
			35,
			42,
			49,
			56,
			57,
			50,
			43,
			36,
			29,
			22,
			15,
			23,
			30,
			37,
			44,
			51,
			58,
			59,
			52,
			45,
			38,
			31,
			39,
			46,
			53,
			60,
			61,
			54,
			47,
			55,
			62,
			63
		]);
		var dctCos1 = 4017;
		var dctSin1 = 799;
		var dctCos3 = 3406;
		var dctSin3 = 2276;
		var dctCos6 = 1567;
		var dctSin6 = 3784;
		var dctSqrt2 = 5793;
		var dctSqrt1d2 = 2896;
		function constructor() {}
		function buildHuffmanTable(codeLengths, values) {
			var k = 0, code = [], i, j, length = 16;
			while (length > 0 && !codeLengths[length - 1]) length--;
			code.push({
				children: [],
				index: 0
			});
			var p = code[0], q;
			for (i = 0; i < length; i++) {
				for (j = 0; j < codeLengths[i]; j++) {
					p = code.pop();
					p.children[p.index] = values[k];
					while (p.index > 0) {
						if (code.length === 0) throw new Error("Could not recreate Huffman Table");
						p = code.pop();
					}
					p.index++;
					code.push(p);
					while (code.length <= i) {
						code.push(q = {
							children: [],
							index: 0
						});
						p.children[p.index] = q.children;
						p = q;
					}
					k++;
				}
				if (i + 1 < length) {
					code.push(q = {
						children: [],
						index: 0
					});
					p.children[p.index] = q.children;
					p = q;
				}
			}
			return code[0].children;
		}
		function decodeScan(data, offset, frame, components, resetInterval, spectralStart, spectralEnd, successivePrev, successive, opts) {
			frame.precision;
			frame.samplesPerLine;
			frame.scanLines;
			var mcusPerLine = frame.mcusPerLine;
			var progressive = frame.progressive;
			frame.maxH;
			frame.maxV;
			var startOffset = offset, bitsData = 0, bitsCount = 0;
			function readBit() {
				if (bitsCount > 0) {
					bitsCount--;
					return bitsData >> bitsCount & 1;
				}
				bitsData = data[offset++];
				if (bitsData == 255) {
					var nextByte = data[offset++];
					if (nextByte) throw new Error("unexpected marker: " + (bitsData << 8 | nextByte).toString(16));
				}
				bitsCount = 7;
				return bitsData >>> 7;
			}
			function decodeHuffman(tree) {
				var node = tree, bit;
				while ((bit = readBit()) !== null) {
					node = node[bit];
					if (typeof node === "number") return node;
					if (typeof node !== "object") throw new Error("invalid huffman sequence");
				}
				return null;
			}
			function receive(length) {
				var n = 0;
				while (length > 0) {
					var bit = readBit();
					if (bit === null) return;
					n = n << 1 | bit;
					length--;
				}
				return n;
			}
			function receiveAndExtend(length) {
				var n = receive(length);
				if (n >= 1 << length - 1) return n;
				return n + (-1 << length) + 1;
			}
			function decodeBaseline(component, zz) {
				var t = decodeHuffman(component.huffmanTableDC);
				var diff = t === 0 ? 0 : receiveAndExtend(t);
				zz[0] = component.pred += diff;
				var k = 1;
				while (k < 64) {
					var rs = decodeHuffman(component.huffmanTableAC);
					var s = rs & 15, r = rs >> 4;
					if (s === 0) {
						if (r < 15) break;
						k += 16;
						continue;
					}
					k += r;
					var z = dctZigZag[k];
					zz[z] = receiveAndExtend(s);
					k++;
				}
			}
			function decodeDCFirst(component, zz) {
				var t = decodeHuffman(component.huffmanTableDC);
				var diff = t === 0 ? 0 : receiveAndExtend(t) << successive;
				zz[0] = component.pred += diff;
			}
			function decodeDCSuccessive(component, zz) {
				zz[0] |= readBit() << successive;
			}
			var eobrun = 0;
			function decodeACFirst(component, zz) {
				if (eobrun > 0) {
					eobrun--;
					return;
				}
				var k = spectralStart, e = spectralEnd;
				while (k <= e) {
					var rs = decodeHuffman(component.huffmanTableAC);
					var s = rs & 15, r = rs >> 4;
					if (s === 0) {
						if (r < 15) {
							eobrun = receive(r) + (1 << r) - 1;
							break;
						}
						k += 16;
						continue;
					}
					k += r;
					var z = dctZigZag[k];
					zz[z] = receiveAndExtend(s) * (1 << successive);
					k++;
				}
			}
			var successiveACState = 0, successiveACNextValue;
			function decodeACSuccessive(component, zz) {
				var k = spectralStart, e = spectralEnd, r = 0;
				while (k <= e) {
					var z = dctZigZag[k];
					var direction = zz[z] < 0 ? -1 : 1;
					switch (successiveACState) {
						case 0:
							var rs = decodeHuffman(component.huffmanTableAC);
							var s = rs & 15, r = rs >> 4;
							if (s === 0) {
								if (r < 15) {
									eobrun = receive(r) + (1 << r);
									successiveACState = 4;
								} else {
									r = 16;
									successiveACState = 1;
								}
							} else {
								if (s !== 1) throw new Error("invalid ACn encoding");
								successiveACNextValue = receiveAndExtend(s);
								successiveACState = r ? 2 : 3;
							}
							continue;
						case 1:
						case 2:
							if (zz[z]) zz[z] += (readBit() << successive) * direction;
							else {
								r--;
								if (r === 0) successiveACState = successiveACState == 2 ? 3 : 0;
							}
							break;
						case 3:
							if (zz[z]) zz[z] += (readBit() << successive) * direction;
							else {
								zz[z] = successiveACNextValue << successive;
								successiveACState = 0;
							}
							break;
						case 4: if (zz[z]) zz[z] += (readBit() << successive) * direction;
					}
					k++;
				}
				if (successiveACState === 4) {
					eobrun--;
					if (eobrun === 0) successiveACState = 0;
				}
			}
			function decodeMcu(component, decode, mcu, row, col) {
				var mcuRow = mcu / mcusPerLine | 0;
				var mcuCol = mcu % mcusPerLine;
				var blockRow = mcuRow * component.v + row;
				var blockCol = mcuCol * component.h + col;
				if (component.blocks[blockRow] === void 0 && opts.tolerantDecoding) return;
				decode(component, component.blocks[blockRow][blockCol]);
			}
			function decodeBlock(component, decode, mcu) {
				var blockRow = mcu / component.blocksPerLine | 0;
				var blockCol = mcu % component.blocksPerLine;
				if (component.blocks[blockRow] === void 0 && opts.tolerantDecoding) return;
				decode(component, component.blocks[blockRow][blockCol]);
			}
			var componentsLength = components.length;
			var component, i, j, k, n;
			var decodeFn;
			if (progressive) {
				if (spectralStart === 0) decodeFn = successivePrev === 0 ? decodeDCFirst : decodeDCSuccessive;
				else decodeFn = successivePrev === 0 ? decodeACFirst : decodeACSuccessive;
			} else decodeFn = decodeBaseline;
			var mcu = 0, marker;
			var mcuExpected;
			if (componentsLength == 1) mcuExpected = components[0].blocksPerLine * components[0].blocksPerColumn;
			else mcuExpected = mcusPerLine * frame.mcusPerColumn;
			if (!resetInterval) resetInterval = mcuExpected;
			var h, v;
			while (mcu < mcuExpected) {
				for (i = 0; i < componentsLength; i++) components[i].pred = 0;
				eobrun = 0;
				if (componentsLength == 1) {
					component = components[0];
					for (n = 0; n < resetInterval; n++) {
						decodeBlock(component, decodeFn, mcu);
						mcu++;
					}
				} else for (n = 0; n < resetInterval; n++) {
					for (i = 0; i < componentsLength; i++) {
						component = components[i];
						h = component.h;
						v = component.v;
						for (j = 0; j < v; j++) for (k = 0; k < h; k++) decodeMcu(component, decodeFn, mcu, j, k);
					}
					mcu++;
					if (mcu === mcuExpected) break;
				}
				if (mcu === mcuExpected) do {
					if (data[offset] === 255) {
						if (data[offset + 1] !== 0) break;
					}
					offset += 1;
				} while (offset < data.length - 2);
				bitsCount = 0;
				marker = data[offset] << 8 | data[offset + 1];
				if (marker < 65280) throw new Error("marker was not found");
				if (marker >= 65488 && marker <= 65495) offset += 2;
				else break;
			}
			return offset - startOffset;
		}
		function buildComponentData(frame, component) {
			var lines = [];
			var blocksPerLine = component.blocksPerLine;
			var blocksPerColumn = component.blocksPerColumn;
			var samplesPerLine = blocksPerLine << 3;
			var R = new Int32Array(64), r = new Uint8Array(64);
			function quantizeAndInverse(zz, dataOut, dataIn) {
				var qt = component.quantizationTable;
				var v0, v1, v2, v3, v4, v5, v6, v7, t;
				var p = dataIn;
				var i = 0;
				for (; i < 64; i++) p[i] = zz[i] * qt[i];
				for (i = 0; i < 8; ++i) {
					var row = 8 * i;
					if (p[1 + row] == 0 && p[2 + row] == 0 && p[3 + row] == 0 && p[4 + row] == 0 && p[5 + row] == 0 && p[6 + row] == 0 && p[7 + row] == 0) {
						t = dctSqrt2 * p[0 + row] + 512 >> 10;
						p[0 + row] = t;
						p[1 + row] = t;
						p[2 + row] = t;
						p[3 + row] = t;
						p[4 + row] = t;
						p[5 + row] = t;
						p[6 + row] = t;
						p[7 + row] = t;
						continue;
					}
					v0 = dctSqrt2 * p[0 + row] + 128 >> 8;
					v1 = dctSqrt2 * p[4 + row] + 128 >> 8;
					v2 = p[2 + row];
					v3 = p[6 + row];
					v4 = dctSqrt1d2 * (p[1 + row] - p[7 + row]) + 128 >> 8;
					v7 = dctSqrt1d2 * (p[1 + row] + p[7 + row]) + 128 >> 8;
					v5 = p[3 + row] << 4;
					v6 = p[5 + row] << 4;
					t = v0 - v1 + 1 >> 1;
					v0 = v0 + v1 + 1 >> 1;
					v1 = t;
					t = v2 * dctSin6 + v3 * dctCos6 + 128 >> 8;
					v2 = v2 * dctCos6 - v3 * dctSin6 + 128 >> 8;
					v3 = t;
					t = v4 - v6 + 1 >> 1;
					v4 = v4 + v6 + 1 >> 1;
					v6 = t;
					t = v7 + v5 + 1 >> 1;
					v5 = v7 - v5 + 1 >> 1;
					v7 = t;
					t = v0 - v3 + 1 >> 1;
					v0 = v0 + v3 + 1 >> 1;
					v3 = t;
					t = v1 - v2 + 1 >> 1;
					v1 = v1 + v2 + 1 >> 1;
					v2 = t;
					t = v4 * dctSin3 + v7 * dctCos3 + 2048 >> 12;
					v4 = v4 * dctCos3 - v7 * dctSin3 + 2048 >> 12;
					v7 = t;
					t = v5 * dctSin1 + v6 * dctCos1 + 2048 >> 12;
					v5 = v5 * dctCos1 - v6 * dctSin1 + 2048 >> 12;
					v6 = t;
					p[0 + row] = v0 + v7;
					p[7 + row] = v0 - v7;
					p[1 + row] = v1 + v6;
					p[6 + row] = v1 - v6;
					p[2 + row] = v2 + v5;
					p[5 + row] = v2 - v5;
					p[3 + row] = v3 + v4;
					p[4 + row] = v3 - v4;
				}
				for (i = 0; i < 8; ++i) {
					var col = i;
					if (p[8 + col] == 0 && p[16 + col] == 0 && p[24 + col] == 0 && p[32 + col] == 0 && p[40 + col] == 0 && p[48 + col] == 0 && p[56 + col] == 0) {
						t = dctSqrt2 * dataIn[i + 0] + 8192 >> 14;
						p[0 + col] = t;
						p[8 + col] = t;
						p[16 + col] = t;
						p[24 + col] = t;
						p[32 + col] = t;
						p[40 + col] = t;
						p[48 + col] = t;
						p[56 + col] = t;
						continue;
					}
					v0 = dctSqrt2 * p[0 + col] + 2048 >> 12;
					v1 = dctSqrt2 * p[32 + col] + 2048 >> 12;
					v2 = p[16 + col];
					v3 = p[48 + col];
					v4 = dctSqrt1d2 * (p[8 + col] - p[56 + col]) + 2048 >> 12;
					v7 = dctSqrt1d2 * (p[8 + col] + p[56 + col]) + 2048 >> 12;
					v5 = p[24 + col];
					v6 = p[40 + col];
					t = v0 - v1 + 1 >> 1;
					v0 = v0 + v1 + 1 >> 1;
					v1 = t;
					t = v2 * dctSin6 + v3 * dctCos6 + 2048 >> 12;
					v2 = v2 * dctCos6 - v3 * dctSin6 + 2048 >> 12;
					v3 = t;
					t = v4 - v6 + 1 >> 1;
					v4 = v4 + v6 + 1 >> 1;
					v6 = t;
					t = v7 + v5 + 1 >> 1;
					v5 = v7 - v5 + 1 >> 1;
					v7 = t;
					t = v0 - v3 + 1 >> 1;
					v0 = v0 + v3 + 1 >> 1;
					v3 = t;
					t = v1 - v2 + 1 >> 1;
					v1 = v1 + v2 + 1 >> 1;
					v2 = t;
					t = v4 * dctSin3 + v7 * dctCos3 + 2048 >> 12;
					v4 = v4 * dctCos3 - v7 * dctSin3 + 2048 >> 12;
					v7 = t;
					t = v5 * dctSin1 + v6 * dctCos1 + 2048 >> 12;
					v5 = v5 * dctCos1 - v6 * dctSin1 + 2048 >> 12;
					v6 = t;
					p[0 + col] = v0 + v7;
					p[56 + col] = v0 - v7;
					p[8 + col] = v1 + v6;
					p[48 + col] = v1 - v6;
					p[16 + col] = v2 + v5;
					p[40 + col] = v2 - v5;
					p[24 + col] = v3 + v4;
					p[32 + col] = v3 - v4;
				}
				for (i = 0; i < 64; ++i) {
					var sample = 128 + (p[i] + 8 >> 4);
					dataOut[i] = sample < 0 ? 0 : sample > 255 ? 255 : sample;
				}
			}
			requestMemoryAllocation(samplesPerLine * blocksPerColumn * 8);
			var i, j;
			for (var blockRow = 0; blockRow < blocksPerColumn; blockRow++) {
				var scanLine = blockRow << 3;
				for (i = 0; i < 8; i++) lines.push(new Uint8Array(samplesPerLine));
				for (var blockCol = 0; blockCol < blocksPerLine; blockCol++) {
					quantizeAndInverse(component.blocks[blockRow][blockCol], r, R);
					var offset = 0, sample = blockCol << 3;
					for (j = 0; j < 8; j++) {
						var line = lines[scanLine + j];
						for (i = 0; i < 8; i++) line[sample + i] = r[offset++];
					}
				}
			}
			return lines;
		}
		function clampTo8bit(a) {
			return a < 0 ? 0 : a > 255 ? 255 : a;
		}
		constructor.prototype = {
			load: function load(path) {
				var xhr = new XMLHttpRequest();
				xhr.open("GET", path, true);
				xhr.responseType = "arraybuffer";
				xhr.onload = (function() {
					var data = new Uint8Array(xhr.response || xhr.mozResponseArrayBuffer);
					this.parse(data);
					if (this.onload) this.onload();
				}).bind(this);
				xhr.send(null);
			},
			parse: function parse(data) {
				var maxResolutionInPixels = this.opts.maxResolutionInMP * 1e3 * 1e3, offset = 0;
				data.length;
				function readUint16() {
					var value = data[offset] << 8 | data[offset + 1];
					offset += 2;
					return value;
				}
				function readDataBlock() {
					var length = readUint16();
					var array = data.subarray(offset, offset + length - 2);
					offset += array.length;
					return array;
				}
				function prepareComponents(frame) {
					var maxH = 1, maxV = 1;
					var component, componentId;
					for (componentId in frame.components) if (frame.components.hasOwnProperty(componentId)) {
						component = frame.components[componentId];
						if (maxH < component.h) maxH = component.h;
						if (maxV < component.v) maxV = component.v;
					}
					var mcusPerLine = Math.ceil(frame.samplesPerLine / 8 / maxH);
					var mcusPerColumn = Math.ceil(frame.scanLines / 8 / maxV);
					for (componentId in frame.components) if (frame.components.hasOwnProperty(componentId)) {
						component = frame.components[componentId];
						var blocksPerLine = Math.ceil(Math.ceil(frame.samplesPerLine / 8) * component.h / maxH);
						var blocksPerColumn = Math.ceil(Math.ceil(frame.scanLines / 8) * component.v / maxV);
						var blocksPerLineForMcu = mcusPerLine * component.h;
						var blocksPerColumnForMcu = mcusPerColumn * component.v;
						var blocksToAllocate = blocksPerColumnForMcu * blocksPerLineForMcu;
						var blocks = [];
						requestMemoryAllocation(blocksToAllocate * 256);
						for (var i = 0; i < blocksPerColumnForMcu; i++) {
							var row = [];
							for (var j = 0; j < blocksPerLineForMcu; j++) row.push(new Int32Array(64));
							blocks.push(row);
						}
						component.blocksPerLine = blocksPerLine;
						component.blocksPerColumn = blocksPerColumn;
						component.blocks = blocks;
					}
					frame.maxH = maxH;
					frame.maxV = maxV;
					frame.mcusPerLine = mcusPerLine;
					frame.mcusPerColumn = mcusPerColumn;
				}
				var jfif = null;
				var adobe = null;
				var frame, resetInterval;
				var quantizationTables = [], frames = [];
				var huffmanTablesAC = [], huffmanTablesDC = [];
				var fileMarker = readUint16();
				var malformedDataOffset = -1;
				this.comments = [];
				if (fileMarker != 65496) throw new Error("SOI not found");
				fileMarker = readUint16();
				while (fileMarker != 65497) {
					var i, j;
					switch (fileMarker) {
						case 65280: break;
						case 65504:
						case 65505:
						case 65506:
						case 65507:
						case 65508:
						case 65509:
						case 65510:
						case 65511:
						case 65512:
						case 65513:
						case 65514:
						case 65515:
						case 65516:
						case 65517:
						case 65518:
						case 65519:
						case 65534:
							var appData = readDataBlock();
							if (fileMarker === 65534) {
								var comment = String.fromCharCode.apply(null, appData);
								this.comments.push(comment);
							}
							if (fileMarker === 65504) {
								if (appData[0] === 74 && appData[1] === 70 && appData[2] === 73 && appData[3] === 70 && appData[4] === 0) jfif = {
									version: {
										major: appData[5],
										minor: appData[6]
									},
									densityUnits: appData[7],
									xDensity: appData[8] << 8 | appData[9],
									yDensity: appData[10] << 8 | appData[11],
									thumbWidth: appData[12],
									thumbHeight: appData[13],
									thumbData: appData.subarray(14, 14 + 3 * appData[12] * appData[13])
								};
							}
							if (fileMarker === 65505) {
								if (appData[0] === 69 && appData[1] === 120 && appData[2] === 105 && appData[3] === 102 && appData[4] === 0) this.exifBuffer = appData.subarray(5, appData.length);
							}
							if (fileMarker === 65518) {
								if (appData[0] === 65 && appData[1] === 100 && appData[2] === 111 && appData[3] === 98 && appData[4] === 101 && appData[5] === 0) adobe = {
									version: appData[6],
									flags0: appData[7] << 8 | appData[8],
									flags1: appData[9] << 8 | appData[10],
									transformCode: appData[11]
								};
							}
							break;
						case 65499:
							var quantizationTablesEnd = readUint16() + offset - 2;
							while (offset < quantizationTablesEnd) {
								var quantizationTableSpec = data[offset++];
								requestMemoryAllocation(256);
								var tableData = new Int32Array(64);
								if (quantizationTableSpec >> 4 === 0) for (j = 0; j < 64; j++) {
									var z = dctZigZag[j];
									tableData[z] = data[offset++];
								}
								else if (quantizationTableSpec >> 4 === 1) for (j = 0; j < 64; j++) {
									var z = dctZigZag[j];
									tableData[z] = readUint16();
								}
								else throw new Error("DQT: invalid table spec");
								quantizationTables[quantizationTableSpec & 15] = tableData;
							}
							break;
						case 65472:
						case 65473:
						case 65474:
							readUint16();
							frame = {};
							frame.extended = fileMarker === 65473;
							frame.progressive = fileMarker === 65474;
							frame.precision = data[offset++];
							frame.scanLines = readUint16();
							frame.samplesPerLine = readUint16();
							frame.components = {};
							frame.componentsOrder = [];
							var pixelsInFrame = frame.scanLines * frame.samplesPerLine;
							if (pixelsInFrame > maxResolutionInPixels) {
								var exceededAmount = Math.ceil((pixelsInFrame - maxResolutionInPixels) / 1e6);
								throw new Error(`maxResolutionInMP limit exceeded by ${exceededAmount}MP`);
							}
							var componentsCount = data[offset++], componentId;
							for (i = 0; i < componentsCount; i++) {
								componentId = data[offset];
								var h = data[offset + 1] >> 4;
								var v = data[offset + 1] & 15;
								var qId = data[offset + 2];
								if (h <= 0 || v <= 0) throw new Error("Invalid sampling factor, expected values above 0");
								frame.componentsOrder.push(componentId);
								frame.components[componentId] = {
									h,
									v,
									quantizationIdx: qId
								};
								offset += 3;
							}
							prepareComponents(frame);
							frames.push(frame);
							break;
						case 65476:
							var huffmanLength = readUint16();
							for (i = 2; i < huffmanLength;) {
								var huffmanTableSpec = data[offset++];
								var codeLengths = new Uint8Array(16);
								var codeLengthSum = 0;
								for (j = 0; j < 16; j++, offset++) codeLengthSum += codeLengths[j] = data[offset];
								requestMemoryAllocation(16 + codeLengthSum);
								var huffmanValues = new Uint8Array(codeLengthSum);
								for (j = 0; j < codeLengthSum; j++, offset++) huffmanValues[j] = data[offset];
								i += 17 + codeLengthSum;
								(huffmanTableSpec >> 4 === 0 ? huffmanTablesDC : huffmanTablesAC)[huffmanTableSpec & 15] = buildHuffmanTable(codeLengths, huffmanValues);
							}
							break;
						case 65501:
							readUint16();
							resetInterval = readUint16();
							break;
						case 65500:
							readUint16();
							readUint16();
							break;
						case 65498:
							readUint16();
							var selectorsCount = data[offset++];
							var components = [], component;
							for (i = 0; i < selectorsCount; i++) {
								component = frame.components[data[offset++]];
								var tableSpec = data[offset++];
								component.huffmanTableDC = huffmanTablesDC[tableSpec >> 4];
								component.huffmanTableAC = huffmanTablesAC[tableSpec & 15];
								components.push(component);
							}
							var spectralStart = data[offset++];
							var spectralEnd = data[offset++];
							var successiveApproximation = data[offset++];
							var processed = decodeScan(data, offset, frame, components, resetInterval, spectralStart, spectralEnd, successiveApproximation >> 4, successiveApproximation & 15, this.opts);
							offset += processed;
							break;
						case 65535:
							if (data[offset] !== 255) offset--;
							break;
						default:
							if (data[offset - 3] == 255 && data[offset - 2] >= 192 && data[offset - 2] <= 254) {
								offset -= 3;
								break;
							} else if (fileMarker === 224 || fileMarker == 225) {
								if (malformedDataOffset !== -1) throw new Error(`first unknown JPEG marker at offset ${malformedDataOffset.toString(16)}, second unknown JPEG marker ${fileMarker.toString(16)} at offset ${(offset - 1).toString(16)}`);
								malformedDataOffset = offset - 1;
								const nextOffset = readUint16();
								if (data[offset + nextOffset - 2] === 255) {
									offset += nextOffset - 2;
									break;
								}
							}
							throw new Error("unknown JPEG marker " + fileMarker.toString(16));
					}
					fileMarker = readUint16();
				}
				if (frames.length != 1) throw new Error("only single frame JPEGs supported");
				for (var i = 0; i < frames.length; i++) {
					var cp = frames[i].components;
					for (var j in cp) {
						cp[j].quantizationTable = quantizationTables[cp[j].quantizationIdx];
						delete cp[j].quantizationIdx;
					}
				}
				this.width = frame.samplesPerLine;
				this.height = frame.scanLines;
				this.jfif = jfif;
				this.adobe = adobe;
				this.components = [];
				for (var i = 0; i < frame.componentsOrder.length; i++) {
					var component = frame.components[frame.componentsOrder[i]];
					this.components.push({
						lines: buildComponentData(frame, component),
						scaleX: component.h / frame.maxH,
						scaleY: component.v / frame.maxV
					});
				}
			},
			getData: function getData(width, height) {
				var scaleX = this.width / width, scaleY = this.height / height;
				var component1, component2, component3, component4;
				var component1Line, component2Line, component3Line, component4Line;
				var x, y;
				var offset = 0;
				var Y, Cb, Cr, K, C, M, Ye, R, G, B;
				var colorTransform;
				var dataLength = width * height * this.components.length;
				requestMemoryAllocation(dataLength);
				var data = new Uint8Array(dataLength);
				switch (this.components.length) {
					case 1:
						component1 = this.components[0];
						for (y = 0; y < height; y++) {
							component1Line = component1.lines[0 | y * component1.scaleY * scaleY];
							for (x = 0; x < width; x++) {
								Y = component1Line[0 | x * component1.scaleX * scaleX];
								data[offset++] = Y;
							}
						}
						break;
					case 2:
						component1 = this.components[0];
						component2 = this.components[1];
						for (y = 0; y < height; y++) {
							component1Line = component1.lines[0 | y * component1.scaleY * scaleY];
							component2Line = component2.lines[0 | y * component2.scaleY * scaleY];
							for (x = 0; x < width; x++) {
								Y = component1Line[0 | x * component1.scaleX * scaleX];
								data[offset++] = Y;
								Y = component2Line[0 | x * component2.scaleX * scaleX];
								data[offset++] = Y;
							}
						}
						break;
					case 3:
						colorTransform = true;
						if (this.adobe && this.adobe.transformCode) colorTransform = true;
						else if (typeof this.opts.colorTransform !== "undefined") colorTransform = !!this.opts.colorTransform;
						component1 = this.components[0];
						component2 = this.components[1];
						component3 = this.components[2];
						for (y = 0; y < height; y++) {
							component1Line = component1.lines[0 | y * component1.scaleY * scaleY];
							component2Line = component2.lines[0 | y * component2.scaleY * scaleY];
							component3Line = component3.lines[0 | y * component3.scaleY * scaleY];
							for (x = 0; x < width; x++) {
								if (!colorTransform) {
									R = component1Line[0 | x * component1.scaleX * scaleX];
									G = component2Line[0 | x * component2.scaleX * scaleX];
									B = component3Line[0 | x * component3.scaleX * scaleX];
								} else {
									Y = component1Line[0 | x * component1.scaleX * scaleX];
									Cb = component2Line[0 | x * component2.scaleX * scaleX];
									Cr = component3Line[0 | x * component3.scaleX * scaleX];
									R = clampTo8bit(Y + 1.402 * (Cr - 128));
									G = clampTo8bit(Y - .3441363 * (Cb - 128) - .71413636 * (Cr - 128));
									B = clampTo8bit(Y + 1.772 * (Cb - 128));
								}
								data[offset++] = R;
								data[offset++] = G;
								data[offset++] = B;
							}
						}
						break;
					case 4:
						if (!this.adobe) throw new Error("Unsupported color mode (4 components)");
						colorTransform = false;
						if (this.adobe && this.adobe.transformCode) colorTransform = true;
						else if (typeof this.opts.colorTransform !== "undefined") colorTransform = !!this.opts.colorTransform;
						component1 = this.components[0];
						component2 = this.components[1];
						component3 = this.components[2];
						component4 = this.components[3];
						for (y = 0; y < height; y++) {
							component1Line = component1.lines[0 | y * component1.scaleY * scaleY];
							component2Line = component2.lines[0 | y * component2.scaleY * scaleY];
							component3Line = component3.lines[0 | y * component3.scaleY * scaleY];
							component4Line = component4.lines[0 | y * component4.scaleY * scaleY];
							for (x = 0; x < width; x++) {
								if (!colorTransform) {
									C = component1Line[0 | x * component1.scaleX * scaleX];
									M = component2Line[0 | x * component2.scaleX * scaleX];
									Ye = component3Line[0 | x * component3.scaleX * scaleX];
									K = component4Line[0 | x * component4.scaleX * scaleX];
								} else {
									Y = component1Line[0 | x * component1.scaleX * scaleX];
									Cb = component2Line[0 | x * component2.scaleX * scaleX];
									Cr = component3Line[0 | x * component3.scaleX * scaleX];
									K = component4Line[0 | x * component4.scaleX * scaleX];
									C = 255 - clampTo8bit(Y + 1.402 * (Cr - 128));
									M = 255 - clampTo8bit(Y - .3441363 * (Cb - 128) - .71413636 * (Cr - 128));
									Ye = 255 - clampTo8bit(Y + 1.772 * (Cb - 128));
								}
								data[offset++] = 255 - C;
								data[offset++] = 255 - M;
								data[offset++] = 255 - Ye;
								data[offset++] = 255 - K;
							}
						}
						break;
					default: throw new Error("Unsupported color mode");
				}
				return data;
			},
			copyToImageData: function copyToImageData(imageData, formatAsRGBA) {
				var width = imageData.width, height = imageData.height;
				var imageDataArray = imageData.data;
				var data = this.getData(width, height);
				var i = 0, j = 0, x, y;
				var Y, K, C, M, R, G, B;
				switch (this.components.length) {
					case 1:
						for (y = 0; y < height; y++) for (x = 0; x < width; x++) {
							Y = data[i++];
							imageDataArray[j++] = Y;
							imageDataArray[j++] = Y;
							imageDataArray[j++] = Y;
							if (formatAsRGBA) imageDataArray[j++] = 255;
						}
						break;
					case 3:
						for (y = 0; y < height; y++) for (x = 0; x < width; x++) {
							R = data[i++];
							G = data[i++];
							B = data[i++];
							imageDataArray[j++] = R;
							imageDataArray[j++] = G;
							imageDataArray[j++] = B;
							if (formatAsRGBA) imageDataArray[j++] = 255;
						}
						break;
					case 4:
						for (y = 0; y < height; y++) for (x = 0; x < width; x++) {
							C = data[i++];
							M = data[i++];
							Y = data[i++];
							K = data[i++];
							R = 255 - clampTo8bit(C * (1 - K / 255) + K);
							G = 255 - clampTo8bit(M * (1 - K / 255) + K);
							B = 255 - clampTo8bit(Y * (1 - K / 255) + K);
							imageDataArray[j++] = R;
							imageDataArray[j++] = G;
							imageDataArray[j++] = B;
							if (formatAsRGBA) imageDataArray[j++] = 255;
						}
						break;
					default: throw new Error("Unsupported color mode");
				}
			}
		};
		var totalBytesAllocated = 0;
		var maxMemoryUsageBytes = 0;
		function requestMemoryAllocation(increaseAmount = 0) {
			var totalMemoryImpactBytes = totalBytesAllocated + increaseAmount;
			if (totalMemoryImpactBytes > maxMemoryUsageBytes) {
				var exceededAmount = Math.ceil((totalMemoryImpactBytes - maxMemoryUsageBytes) / 1024 / 1024);
				throw new Error(`maxMemoryUsageInMB limit exceeded by at least ${exceededAmount}MB`);
			}
			totalBytesAllocated = totalMemoryImpactBytes;
		}
		constructor.resetMaxMemoryUsage = function(maxMemoryUsageBytes_) {
			totalBytesAllocated = 0;
			maxMemoryUsageBytes = maxMemoryUsageBytes_;
		};
		constructor.getBytesAllocated = function() {
			return totalBytesAllocated;
		};
		constructor.requestMemoryAllocation = requestMemoryAllocation;
		return constructor;
	})();
	if (typeof module !== "undefined") module.exports = decode;
	else if (typeof window !== "undefined") {
		window["jpeg-js"] = window["jpeg-js"] || {};
		window["jpeg-js"].decode = decode;
	}
	function decode(jpegData, userOpts = {}) {
		var opts = {
			colorTransform: void 0,
			useTArray: false,
			formatAsRGBA: true,
			tolerantDecoding: true,
			maxResolutionInMP: 100,
			maxMemoryUsageInMB: 512,
			...userOpts
		};
		var arr = new Uint8Array(jpegData);
		var decoder = new JpegImage();
		decoder.opts = opts;
		JpegImage.resetMaxMemoryUsage(opts.maxMemoryUsageInMB * 1024 * 1024);
		decoder.parse(arr);
		var channels = opts.formatAsRGBA ? 4 : 3;
		var bytesNeeded = decoder.width * decoder.height * channels;
		try {
			JpegImage.requestMemoryAllocation(bytesNeeded);
			var image = {
				width: decoder.width,
				height: decoder.height,
				exifBuffer: decoder.exifBuffer,
				data: opts.useTArray ? new Uint8Array(bytesNeeded) : Buffer.alloc(bytesNeeded)
			};
			if (decoder.comments.length > 0) image["comments"] = decoder.comments;
		} catch (err) {
			if (err instanceof RangeError) throw new Error("Could not allocate enough memory for the image. Required: " + bytesNeeded);
			if (err instanceof ReferenceError) {
				if (err.message === "Buffer is not defined") throw new Error("Buffer is not globally defined in this environment. Consider setting useTArray to true");
			}
			throw err;
		}
		decoder.copyToImageData(image, opts.formatAsRGBA);
		return image;
	}
}));
// node_modules/jpeg-js/index.js
var require_jpeg_js = __commonJSMin(((exports, module) => {
	module.exports = {
		encode: require_encoder(),
		decode: require_decoder()
	};
}));
// packages/cli/src/picture.ts
init_links();
function pictureMode({ isTty }, env) {
	const { TERM = "", TERM_PROGRAM = "" } = env;
	if (!isTty || env.NO_COLOR || TERM === "dumb") return "none";
	const isWrapped = Boolean(env.TMUX) || /^(screen|tmux)/.test(TERM);
	if (!isWrapped && ["iTerm.app", "WezTerm"].includes(TERM_PROGRAM)) return "iterm";
	if (!isWrapped && (TERM === "xterm-kitty" || TERM === "xterm-ghostty" || env.KITTY_WINDOW_ID)) return "kitty";
	if (/^(truecolor|24bit)$/.test(env.COLORTERM ?? "")) return "blocks24";
	return /256color/.test(TERM) ? "blocks256" : "none";
}
const columnsWide = 36;
const kittyChunk = 4096;
const megapixelsMax = 9;
const memoryMbMax = 256;
async function decodeJpeg(bytes) {
	const { default: jpeg } = await Promise.resolve().then(() => __toESM(require_jpeg_js(), 1));
	const { width, height, data } = jpeg.decode(bytes, {
		useTArray: true,
		formatAsRGBA: false,
		maxResolutionInMP: megapixelsMax,
		maxMemoryUsageInMB: memoryMbMax
	});
	return {
		width,
		height,
		rgb: data
	};
}
function scale({ width, height, rgb }, toWidth, toHeight) {
	const result = new Uint8Array(toWidth * toHeight * 3);
	for (let y = 0; y < toHeight; y += 1) {
		const [top, bottom] = span(y, toHeight, height);
		for (let x = 0; x < toWidth; x += 1) {
			const [left, right] = span(x, toWidth, width);
			let [red, green, blue] = [
				0,
				0,
				0
			];
			for (let row = top; row < bottom; row += 1) {
				const end = (row * width + right) * 3;
				for (let at = (row * width + left) * 3; at < end; at += 3) {
					red += rgb[at] ?? 0;
					green += rgb[at + 1] ?? 0;
					blue += rgb[at + 2] ?? 0;
				}
			}
			const count = (bottom - top) * (right - left);
			const mean = [
				Math.round(red / count),
				Math.round(green / count),
				Math.round(blue / count)
			];
			result.set(mean, (y * toWidth + x) * 3);
		}
	}
	return {
		width: toWidth,
		height: toHeight,
		rgb: result
	};
}
function span(at, steps, size) {
	const from = Math.floor(at * size / steps);
	return [from, Math.max(from + 1, Math.floor((at + 1) * size / steps))];
}
function cube(red, green, blue) {
	const step = (value) => value < 48 ? 0 : value < 115 ? 1 : Math.floor((value - 35) / 40);
	return 16 + 36 * step(red) + 6 * step(green) + step(blue);
}
function halfBlocks(pixels, hasTrueColor) {
	const color = (layer, x, y) => {
		const at = (Math.min(y, pixels.height - 1) * pixels.width + x) * 3;
		const [red = 0, green = 0, blue = 0] = pixels.rgb.subarray(at, at + 3);
		return hasTrueColor ? `${layer};2;${red};${green};${blue}` : `${layer};5;${cube(red, green, blue)}`;
	};
	const lines = [];
	for (let y = 0; y < pixels.height; y += 2) {
		let line = "";
		let last = "";
		for (let x = 0; x < pixels.width; x += 1) {
			const style = `${color(38, x, y)};${color(48, x, y + 1)}`;
			line += style === last ? "▀" : `\u001b[${style}m▀`;
			last = style;
		}
		lines.push(`${line}\u001b[0m`);
	}
	return lines;
}
function kitty({ width, height, rgb }) {
	const chunks = deflateSync(rgb).toString("base64").match(new RegExp(`.{1,${kittyChunk}}`, "g")) ?? [];
	return chunks.map((chunk, at) => {
		const more = at < chunks.length - 1 ? 1 : 0;
		return `\u001b_G${at === 0 ? `a=T,f=24,o=z,q=2,s=${width},v=${height},c=${columnsWide},m=${more}` : `m=${more}`};${chunk}\u001b\\`;
	}).join("");
}
async function drawPicture(bytes, mode, columns) {
	if (mode === "none") return "";
	if (mode === "iterm") {
		const data = Buffer.from(bytes).toString("base64");
		return `\u001b]1337;File=inline=1;size=${bytes.length};width=${columnsWide}:${data}\u0007\n`;
	}
	try {
		const pixels = await decodeJpeg(bytes);
		if (mode === "kitty") return `${kitty(scale(pixels, 540, Math.round(540 * pixels.height / pixels.width)))}\n`;
		const wide = Math.min(columnsWide, columns - 2);
		return `${halfBlocks(scale(pixels, wide, Math.round(wide * pixels.height / pixels.width)), mode === "blocks24").join("\n")}\n`;
	} catch {
		return "";
	}
}
// packages/cli/src/pictures.ts
const bytesMax = 4194304;
async function slideText({ io }, image) {
	const mode = pictureMode(io.stdout, io.env);
	if (mode === "none") return "";
	try {
		const signal = AbortSignal.any([io.signal, AbortSignal.timeout(5e3)]);
		const response = await fetch(image.thumbnailUrl ?? image.url, { signal });
		if (!(response.ok && response.headers.get("content-type") === "image/jpeg") || Number(response.headers.get("content-length") ?? 0) > bytesMax) return "";
		return await drawPicture(new Uint8Array(await response.arrayBuffer()), mode, io.stdout.columns);
	} catch {
		return "";
	}
}
async function showSlide(run, content, index) {
	const image = content.images.find((one) => one.index === index);
	if (image === void 0 || run.out.isJson) return;
	const text = await slideText(run, image);
	if (text !== "") run.out.text(text);
}
// packages/cli/src/commands/content.ts
init_failure();
function addContent(program, bind) {
	const content = program.command("content").description("decks: texts and slides");
	content.command("create").description("write and draw a deck; costs 1 credit when it succeeds").option("--app <app>", "id or name (default: the only one there is)").option("--hook <text>", "the first slide, word for word").option("--topic <text>", "what the deck is about").option("--template <id>", "look of the slides; \"none\" for texts alone", "quote-card").option("--archetype <name>", "listicle, transformation, pov_results, authority or motivational").option("--slides <n>", "how many, from 2 to 10", readSlides).option("--cta <mode>", "soft, direct or none").option("--wait", "wait until it is ready or failed").option("--timeout <seconds>", "longest wait", readSeconds, 120).option("--new", "make another deck even if the same command made one within 24 hours").option("--no-picture", "do not show the first slide").addHelpText("after", `
The same command within 24 hours answers the same deck and charges nothing, so that a script can repeat it.

Examples:
  hookline content create --app Pebblo --topic "morning habits" --wait
  hookline content create --hook "5 habits small enough for a bad day" --json | jq -r .id`).action(bind(createContent));
	content.command("ls").description("list decks, newest first").option("--app <app>", "only of this app, by id or name").option("--status <status>", "queued, running, ready or failed").option("--approval <status>", "pending, approved or rejected").option("--limit <n>", "how many", readCount, 20).action(bind(listContent));
	content.command("get <contentId>").description("one deck with its texts").option("--no-picture", "do not show the first slide").action(bind(getContent));
}
async function createContent(run, options) {
	let isReplayed = false;
	const client = run.client((response) => {
		isReplayed = response.headers.get("idempotent-replayed") === "true";
	});
	const body = {
		appId: await findApp(client, options.app),
		type: "slideshow",
		brief: {
			hook: options.hook,
			topic: options.topic,
			archetype: options.archetype,
			slideCount: options.slides,
			ctaMode: options.cta,
			templateId: options.template === "none" ? void 0 : options.template
		}
	};
	const digest = sha256(run.access().baseUrl, JSON.stringify(body));
	const began = run.io.now().getTime();
	const ticking = setInterval(() => {
		run.out.progress(`Writing and drawing… ${Math.round((run.io.now().getTime() - began) / 1e3)} s`);
	}, 250);
	const create = async (idempotencyKey) => {
		const content = await client.content.create(body, { idempotencyKey });
		const isReplay = isReplayed;
		return {
			content: isReplay ? await client.content.get(content.id) : content,
			isReplay
		};
	};
	const keyOf = (hash) => `cli-${hash.slice(0, 40)}`;
	let content;
	try {
		let made = await create(options.new ? randomUUID() : keyOf(digest));
		if (made.isReplay && made.content.status === "failed") {
			const ago = distance(made.content.createdAt, run.io.now());
			run.out.say(run.out.note(`The same command made a deck ${ago} that failed: making another.`));
			made = await create(keyOf(sha256(digest, made.content.id)));
		}
		content = made.content;
		if (made.isReplay) {
			const ago = distance(content.createdAt, run.io.now());
			run.out.say(run.out.note(`The same command made this deck ${ago}; --new makes another.`));
		}
		if (options.wait && isOpen(content)) content = await client.waitFor(content.id, { withinMs: options.timeout * 1e3 });
	} finally {
		clearInterval(ticking);
		run.out.progress(null);
	}
	await printContent(run, content, options.picture);
	if (content.status === "failed" && content.error) throw new Failure(exitCodes.refused, content.error);
	if (content.status === "ready" && content.approvalStatus === "pending") {
		run.out.say(run.out.note("Waits for approval by a person: hookline review, or"));
		run.out.say(`  ${approveUrl(run.access().baseUrl, content.id)}`);
	}
}
function sha256(...texts) {
	const hash = createHash("sha256");
	for (const text of texts) hash.update(text);
	return hash.digest("hex");
}
const isOpen = ({ status }) => status === "queued" || status === "running";
async function listContent(run, options) {
	const client = run.client();
	const query = {
		appId: options.app === void 0 ? void 0 : await findApp(client, options.app),
		status: options.status,
		approvalStatus: options.approval,
		limit: Math.min(100, options.limit)
	};
	const rows = await client.content.list(query).toArray(options.limit);
	run.out.table(rows, [
		{
			title: "ID",
			of: (row) => row.id
		},
		{
			title: "STATE",
			of: stateOf,
			style: (row) => stateStyles[stateOf(row)]
		},
		{
			title: "HOOK",
			of: (row) => row.result?.hook ?? row.error?.message ?? ""
		},
		{
			title: "SLIDES",
			of: (row) => String(row.images.length)
		},
		{
			title: "MADE",
			of: (row) => distance(row.createdAt, run.io.now())
		}
	], "There are no decks: hookline content create");
}
async function getContent(run, contentId, { picture }) {
	await printContent(run, await run.client().content.get(contentId), picture);
}
function stateOf(content) {
	return content.status === "ready" ? content.approvalStatus : content.status;
}
const stateStyles = {
	pending: "yellow",
	approved: "green",
	rejected: "red",
	failed: "red"
};
async function printContent(run, content, hasPicture) {
	if (hasPicture) await showSlide(run, content, 1);
	run.out.record(content, () => describeContent(run, content));
}
function describeContent({ out, io }, content) {
	const state = stateOf(content);
	const head = [
		out.style(stateStyles[state] ?? "bold", plain(state)),
		`version ${content.version}`,
		`${content.images.length} slides`,
		`${content.costCharged} ${content.costCharged === 1 ? "credit" : "credits"}`,
		`made ${distance(content.createdAt, io.now())}`,
		...content.writer ? [`by ${plain(content.writer.name)}`] : []
	].join(" · ");
	const lines = [`${out.style("bold", plain(content.id))}  ${head}`];
	if (content.error) lines.push(`  ${plain(content.error.message)}`);
	if (content.notice) lines.push(`  ${plain(content.notice)}`);
	const { result, approval } = content;
	if (result !== null) {
		slideTexts(content).forEach((text, at) => {
			const number = out.style("dim", String(at + 1).padStart(3));
			lines.push(`${number}  ${at === 0 ? out.style("bold", plain(text)) : plain(text)}`);
		});
		lines.push("", `     ${plain(result.caption)}`, `     ${out.style("dim", plain(result.hashtags.join(" ")))}`);
	}
	if (approval?.reason) lines.push("", `     Rejected: ${plain(approval.reason)}`);
	return lines;
}
// packages/cli/src/config-file.ts
init_failure();
function configPath(env) {
	const given = env.XDG_CONFIG_HOME;
	const base = given?.startsWith("/") ? given : join(env.HOME ?? homedir(), ".config");
	return join(base, "hookline", "config.json");
}
function readConfig(env) {
	const path = configPath(env);
	let text;
	try {
		if (process.platform !== "win32" && (statSync(path).mode & 63) !== 0) throw noAccess(`${path} can be read by others, and holds keys.`, `chmod 600 ${path}`);
		text = readFileSync(path, "utf8");
	} catch (error) {
		const { code } = error;
		if (code === "ENOENT" || code === "ENOTDIR") return { profiles: {} };
		if (code === "EACCES") throw noAccess(`${path} cannot be read.`);
		throw error;
	}
	try {
		const config = JSON.parse(text);
		return {
			...config,
			profiles: { ...config.profiles }
		};
	} catch {
		throw usage(`${path} is not JSON.`, "Correct it, or delete it and log in again.");
	}
}
function writeConfig(env, config) {
	const path = configPath(env);
	mkdirSync(dirname(path), {
		recursive: true,
		mode: 448
	});
	const draft = `${path}.${process.pid}`;
	writeFileSync(draft, `${JSON.stringify(config, null, 2)}\n`, { mode: 384 });
	renameSync(draft, path);
	return path;
}
function webhookSecret(env) {
	if (env.HOOKLINE_WEBHOOK_SECRET) return env.HOOKLINE_WEBHOOK_SECRET;
	const config = readConfig(env);
	if (config.webhookSecret) return config.webhookSecret;
	const secret = `whsec_${randomBytes(32).toString("base64")}`;
	writeConfig(env, {
		...config,
		webhookSecret: secret
	});
	return secret;
}
// packages/cli/src/version.ts
var version;
var init_version = __esmMin((() => {
	version = "0.1.0";
}));
// packages/cli/src/commands/doctor.ts
init_dist$5();
init_failure();
init_links();
init_version();
const skewMaxMs = 6e4;
const readyMs = 1e4;
function addDoctor(program, bind) {
	program.command("doctor").description("check the configuration, the connection and the key").action(bind(doctor));
}
async function doctor(run) {
	const checks = [{
		name: "version",
		ok: true,
		detail: `hookline ${version}, Node ${process.versions.node}, ${process.platform}`
	}];
	const add = async (name, check) => {
		try {
			checks.push({
				name,
				...await check()
			});
		} catch (error) {
			if (!(error instanceof Failure) && !(error instanceof HooklineError)) throw error;
			const { message, hint, exitCode } = toFailure(error);
			checks.push({
				name,
				ok: false,
				detail: message,
				exitCode,
				...hint === void 0 ? {} : { hint }
			});
		}
		return checks.at(-1)?.ok === true;
	};
	if (await add("configuration", () => {
		const names = Object.keys(readConfig(run.io.env).profiles);
		return {
			ok: true,
			detail: names.length === 0 ? "no profiles" : `profiles: ${names.join(", ")}`
		};
	}) && await add("address", () => addressCheck(run))) {
		if (await add("connection", () => connectionCheck(run)) && await add("key", () => keyCheck(run))) await addAccountChecks(run.client(), add);
	}
	print(run, checks);
}
function addressCheck(run) {
	const { baseUrl, source } = run.access();
	const { protocol, hostname } = new URL(baseUrl);
	const isOpen = protocol === "http:" && ![
		"localhost",
		"127.0.0.1",
		"[::1]"
	].includes(hostname);
	const detail = `${baseUrl} (${source})`;
	if (!isOpen) return {
		ok: true,
		detail
	};
	return {
		ok: true,
		detail: `${detail}; http, so the key can be read on the way`
	};
}
async function connectionCheck(run) {
	const { baseUrl } = run.access();
	const began = performance.now();
	const url = `${productUrl(baseUrl)}/readyz`;
	let answer;
	try {
		answer = await fetch(url, {
			redirect: "manual",
			signal: AbortSignal.timeout(readyMs)
		});
		await answer.body?.cancel();
	} catch (error) {
		return {
			ok: false,
			detail: `${url} cannot be reached (${error.cause?.code ?? error.message})`,
			hint: "Is the address right, and the product running?",
			exitCode: exitCodes.unreachable
		};
	}
	const tookMs = Math.round(performance.now() - began);
	if (!answer.ok) return {
		ok: false,
		detail: `${url} answered ${answer.status}`,
		exitCode: exitCodes.unreachable
	};
	const skewMs = new Date(answer.headers.get("date") ?? Date.now()).getTime() - Date.now();
	if (Math.abs(skewMs) > skewMaxMs) return {
		ok: false,
		detail: `the clocks differ by ${Math.round(skewMs / 1e3)} s`,
		hint: "Set the clock of this machine.",
		exitCode: exitCodes.refused
	};
	return {
		ok: true,
		detail: `ready, ${tookMs} ms`
	};
}
async function keyCheck(run) {
	await run.client().accounts.list({ limit: 1 }).page();
	return {
		ok: true,
		detail: "accepted"
	};
}
async function addAccountChecks(client, add) {
	await add("credits", async () => {
		const { balance } = await client.credits.get();
		const isEmpty = balance < 1;
		return {
			ok: !isEmpty,
			detail: `${balance} left`,
			...isEmpty ? {
				hint: "A deck costs 1 credit.",
				exitCode: exitCodes.refused
			} : {}
		};
	});
	await add("TikTok accounts", async () => {
		const accounts = await client.accounts.list({ limit: 100 }).toArray();
		const broken = accounts.filter(({ status }) => status !== "connected").map(({ username }) => `@${username}`);
		if (broken.length === 0) return {
			ok: true,
			detail: accounts.length === 0 ? "none yet" : accounts.map(({ username }) => `@${username}`).join(", ")
		};
		return {
			ok: false,
			detail: `to be connected again: ${broken.join(", ")}`,
			hint: "hookline open accounts",
			exitCode: exitCodes.refused
		};
	});
}
function print({ out }, checks) {
	const wide = Math.max(...checks.map(({ name }) => name.length));
	const shown = checks.map(({ exitCode: _code, ...check }) => check);
	out.record(shown, () => checks.flatMap(({ name, ok, detail, hint }) => [`${ok ? out.style("green", "✓") : out.style("red", "✗")} ${name.padEnd(wide)}  ${plain(detail)}`, ...hint === void 0 ? [] : [`  ${" ".repeat(wide)}  ${out.style("cyan", plain(hint))}`]]));
	const failed = checks.find(({ ok }) => !ok);
	if (failed === void 0) return;
	const message = `The check "${failed.name}" failed: ${failed.detail}`;
	throw new Failure(failed.exitCode ?? exitCodes.refused, {
		code: "check_failed",
		message
	});
}
// packages/cli/src/sign.ts
function signatureHeaders(secret, eventId, at, body) {
	const timestamp = String(Math.floor(at.getTime() / 1e3));
	const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
	const standard = createHmac("sha256", key).update(`${eventId}.${timestamp}.${body}`).digest("base64");
	return {
		"x-service-signature": createHmac("sha256", secret).update(body).digest("hex"),
		"webhook-id": eventId,
		"webhook-timestamp": timestamp,
		"webhook-signature": `v1,${standard}`
	};
}
// packages/cli/src/deliver.ts
init_failure();
const timeoutMs$2 = 15e3;
function receiverUrl(text) {
	const given = /^\d{1,5}$/.test(text) ? `http://localhost:${text}` : text.includes("://") ? text : `http://${text}`;
	try {
		const url = new URL(given);
		if (["http:", "https:"].includes(url.protocol) && !url.username) return url.href;
	} catch {}
	throw usage(`"${text}" is not an address; one looks like localhost:3000/hook.`);
}
async function deliver(url, event, secret, signal) {
	const body = JSON.stringify(event);
	const began = performance.now();
	const took = () => Math.round(performance.now() - began);
	try {
		const response = await fetch(url, {
			method: "POST",
			redirect: "manual",
			signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs$2)]),
			headers: {
				"content-type": "application/json",
				"user-agent": "Hookline-Webhooks/1",
				...signatureHeaders(secret, event.id, new Date(), body)
			},
			body
		});
		await response.body?.cancel();
		const error = response.ok ? null : `answered ${response.status}`;
		return {
			status: response.status,
			error,
			durationMs: took()
		};
	} catch (error) {
		const { name, message, cause } = error;
		return {
			status: null,
			error: name === "TimeoutError" ? `no answer within ${timeoutMs$2 / 1e3} s` : cause?.code ?? cause?.message ?? message,
			durationMs: took()
		};
	}
}
// packages/cli/src/feed.ts
init_failure();
const awayMs = 5e3;
const pollMs = 2e3;
const pageRows = 100;
function sinceOf(text, now) {
	if (text === void 0 || text === "now") return now;
	if (text === "beginning") return new Date(0);
	const back = /^(\d{1,4})\s?(s|m|h|d)$/.exec(text.trim());
	const lengths = {
		s: 1e3,
		m: 6e4,
		h: 36e5,
		d: 864e5
	};
	if (back) return new Date(now.getTime() - Number(back[1]) * (lengths[back[2] ?? ""] ?? 0));
	if (/^\d{4}-/.test(text)) return parseWhen(text, now, systemZone()).at;
	throw usage(`"${text}" is not a time to start from: write 10m, 2h, 3d, an ISO 8601 time or beginning.`);
}
function typesOf(text, known) {
	if (text === void 0) return null;
	const types = text.split(",").map((type) => type.trim());
	const unknown = types.find((type) => !known.includes(type));
	if (unknown !== void 0) throw usage(`There is no event "${unknown}"; there are ${known.join(", ")}.`);
	return new Set(types);
}
async function follow(client, since, signal, onEvent, onReady, onAway) {
	const feed = client.events.list({ limit: pageRows });
	let after;
	let isReady = false;
	while (!signal.aborted) {
		const page = await feed.page(after).catch((error) => {
			const failure = toFailure(error);
			if (!isReady || failure.exitCode !== exitCodes.unreachable) throw error;
			if (!signal.aborted) onAway(failure);
			return null;
		});
		if (page === null) {
			await setTimeout$1(awayMs, void 0, { signal }).catch(() => void 0);
			continue;
		}
		const { data, nextCursor } = page;
		after = nextCursor ?? after;
		for (const event of data) {
			if (signal.aborted) return;
			if (isReady || new Date(event.timestamp) >= since) await onEvent(event);
		}
		if (data.length === pageRows) continue;
		if (!isReady) onReady();
		isReady = true;
		await setTimeout$1(pollMs, void 0, { signal }).catch(() => void 0);
	}
}
function subjectOf({ data }) {
	const texts = data;
	const words = data.failure?.message ?? texts.result?.hook ?? texts.title ?? "";
	return plain([String(texts.id ?? ""), typeof words === "string" ? words : ""].filter(Boolean).join("  "));
}
// packages/cli/src/generated/sample-events.json
var sample_events_default = {
	"job.completed": {
		"id": "event_01k9ztqav3b6n9m2x5c8q1w4er",
		"type": "job.completed",
		"timestamp": "2026-11-21T09:00:00.000Z",
		"createdAt": "2026-11-21T09:00:00.000Z",
		"sequence": 2,
		"data": {
			"id": "content_01jd7r9c5mfw8s3k2n6q4t1vxz",
			"status": "ready",
			"resourceType": "content",
			"resourceId": "content_01jd7r9c5mfw8s3k2n6q4t1vxz",
			"cost": 1,
			"error": null,
			"createdAt": "2026-11-21T09:00:00.000Z",
			"updatedAt": "2026-11-21T09:00:00.000Z"
		}
	},
	"content.approved": {
		"id": "event_01k9ztqav3b6n9m2x5c8q1w4er",
		"type": "content.approved",
		"timestamp": "2026-11-21T09:00:00.000Z",
		"createdAt": "2026-11-21T09:00:00.000Z",
		"sequence": 2,
		"data": {
			"id": "content_01k9ztq3m2n5b8v1c4x7z0q9wp",
			"createdAt": "2026-11-21T09:00:00.000Z",
			"updatedAt": "2026-11-21T09:00:04.120Z",
			"appId": "product_01k9ztq2f7h4j1k8s3d6g9w5rt",
			"type": "slideshow",
			"status": "ready",
			"approvalStatus": "approved",
			"result": {
				"hook": "5 habits that changed my mornings",
				"hookOptions": [
					"5 habits that changed my mornings",
					"Mornings got easier",
					"Start before you are ready"
				],
				"bodySlides": [{ "text": "Put the phone in another room" }],
				"ctaSoft": "I keep mine in Pebblo",
				"ctaHard": "Get Pebblo and place your first stone",
				"caption": "Small wins, every morning.",
				"hashtags": ["#habits", "#morningroutine"]
			},
			"costCharged": 1,
			"version": 1,
			"brief": {
				"topic": "morning habits",
				"templateId": "quote-card",
				"slideCount": 3
			},
			"writer": {
				"kind": "model",
				"name": "gpt-5-mini",
				"repaired": false
			},
			"templateId": "quote-card",
			"images": [
				{
					"index": 1,
					"url": "http://localhost:8080/media/images/image_01k9ztqe3a6d9g2j5m8p1s4v7y?e=1795424400&s=3q2r",
					"thumbnailUrl": "http://localhost:8080/media/images/image_01k9ztqe3a6d9g2j5m8p1s4v7y?e=1795424400&s=3q2r&w=270",
					"width": 1080,
					"height": 1920,
					"bytes": 184320,
					"contentType": "image/jpeg"
				},
				{
					"index": 2,
					"url": "http://localhost:8080/media/images/image_01k9ztqe3a6d9g2j5m8p1s4v7y?e=1795424400&s=3q2r",
					"thumbnailUrl": "http://localhost:8080/media/images/image_01k9ztqe3a6d9g2j5m8p1s4v7y?e=1795424400&s=3q2r&w=270",
					"width": 1080,
					"height": 1920,
					"bytes": 184320,
					"contentType": "image/jpeg"
				},
				{
					"index": 3,
					"url": "http://localhost:8080/media/images/image_01k9ztqe3a6d9g2j5m8p1s4v7y?e=1795424400&s=3q2r",
					"thumbnailUrl": "http://localhost:8080/media/images/image_01k9ztqe3a6d9g2j5m8p1s4v7y?e=1795424400&s=3q2r&w=270",
					"width": 1080,
					"height": 1920,
					"bytes": 184320,
					"contentType": "image/jpeg"
				}
			],
			"approval": {
				"version": 1,
				"decision": "approved",
				"decidedAt": "2026-11-21T09:00:04.120Z",
				"keyId": "key_01k9ztq1a9e3c6v8n2b5m7x4zq",
				"by": {
					"kind": "key",
					"id": "key_01k9ztq1a9e3c6v8n2b5m7x4zq",
					"name": "Reviewer"
				},
				"reason": null
			},
			"origin": null
		}
	},
	"content.rejected": {
		"id": "event_01k9ztqav3b6n9m2x5c8q1w4er",
		"type": "content.rejected",
		"timestamp": "2026-11-21T09:00:00.000Z",
		"createdAt": "2026-11-21T09:00:00.000Z",
		"sequence": 2,
		"data": {
			"id": "content_01k9ztq3m2n5b8v1c4x7z0q9wp",
			"createdAt": "2026-11-21T09:00:00.000Z",
			"updatedAt": "2026-11-21T09:00:04.120Z",
			"appId": "product_01k9ztq2f7h4j1k8s3d6g9w5rt",
			"type": "slideshow",
			"status": "ready",
			"approvalStatus": "rejected",
			"result": {
				"hook": "5 habits that changed my mornings",
				"hookOptions": [
					"5 habits that changed my mornings",
					"Mornings got easier",
					"Start before you are ready"
				],
				"bodySlides": [{ "text": "Put the phone in another room" }],
				"ctaSoft": "I keep mine in Pebblo",
				"ctaHard": "Get Pebblo and place your first stone",
				"caption": "Small wins, every morning.",
				"hashtags": ["#habits", "#morningroutine"]
			},
			"costCharged": 1,
			"version": 1,
			"brief": {
				"topic": "morning habits",
				"templateId": "quote-card",
				"slideCount": 3
			},
			"writer": {
				"kind": "model",
				"name": "gpt-5-mini",
				"repaired": false
			},
			"templateId": "quote-card",
			"images": [
				{
					"index": 1,
					"url": "http://localhost:8080/media/images/image_01k9ztqe3a6d9g2j5m8p1s4v7y?e=1795424400&s=3q2r",
					"thumbnailUrl": "http://localhost:8080/media/images/image_01k9ztqe3a6d9g2j5m8p1s4v7y?e=1795424400&s=3q2r&w=270",
					"width": 1080,
					"height": 1920,
					"bytes": 184320,
					"contentType": "image/jpeg"
				},
				{
					"index": 2,
					"url": "http://localhost:8080/media/images/image_01k9ztqe3a6d9g2j5m8p1s4v7y?e=1795424400&s=3q2r",
					"thumbnailUrl": "http://localhost:8080/media/images/image_01k9ztqe3a6d9g2j5m8p1s4v7y?e=1795424400&s=3q2r&w=270",
					"width": 1080,
					"height": 1920,
					"bytes": 184320,
					"contentType": "image/jpeg"
				},
				{
					"index": 3,
					"url": "http://localhost:8080/media/images/image_01k9ztqe3a6d9g2j5m8p1s4v7y?e=1795424400&s=3q2r",
					"thumbnailUrl": "http://localhost:8080/media/images/image_01k9ztqe3a6d9g2j5m8p1s4v7y?e=1795424400&s=3q2r&w=270",
					"width": 1080,
					"height": 1920,
					"bytes": 184320,
					"contentType": "image/jpeg"
				}
			],
			"approval": {
				"version": 1,
				"decision": "rejected",
				"decidedAt": "2026-11-21T09:00:04.120Z",
				"keyId": "key_01k9ztq1a9e3c6v8n2b5m7x4zq",
				"by": {
					"kind": "key",
					"id": "key_01k9ztq1a9e3c6v8n2b5m7x4zq",
					"name": "Reviewer"
				},
				"reason": "The hook promises five habits, the deck has four."
			},
			"origin": null
		}
	},
	"schedule.sent_to_drafts": {
		"id": "event_01k9ztqav3b6n9m2x5c8q1w4er",
		"type": "schedule.sent_to_drafts",
		"timestamp": "2026-11-21T09:00:00.000Z",
		"createdAt": "2026-11-21T09:00:00.000Z",
		"sequence": 2,
		"data": {
			"id": "schedule_01jd7r9c5mfw8s3k2n6q4t1vxc",
			"contentId": "content_01jd7r9c5mfw8s3k2n6q4t1vxz",
			"contentVersion": 1,
			"tiktokAccountId": "account_01jd7r9c5mfw8s3k2n6q4t1vxd",
			"status": "sent",
			"mode": "draft",
			"privacyLevel": null,
			"scheduledFor": "2026-11-21T09:00:00.000Z",
			"title": "5 habits small enough for a bad day",
			"description": "Small enough to do tired.\n\n#habits",
			"disableComment": false,
			"brandOrganic": false,
			"brandedContent": false,
			"aiGenerated": true,
			"autoAddMusic": true,
			"outcome": "sent_to_drafts",
			"failure": null,
			"platformPostId": null,
			"platformPostUrl": null,
			"sentAt": "2026-11-21T09:00:00.000Z",
			"automationId": null,
			"createdAt": "2026-11-21T09:00:00.000Z",
			"updatedAt": "2026-11-21T09:00:00.000Z"
		}
	},
	"schedule.published": {
		"id": "event_01k9ztqav3b6n9m2x5c8q1w4er",
		"type": "schedule.published",
		"timestamp": "2026-11-21T09:00:00.000Z",
		"createdAt": "2026-11-21T09:00:00.000Z",
		"sequence": 2,
		"data": {
			"id": "schedule_01jd7r9c5mfw8s3k2n6q4t1vxc",
			"contentId": "content_01jd7r9c5mfw8s3k2n6q4t1vxz",
			"contentVersion": 1,
			"tiktokAccountId": "account_01jd7r9c5mfw8s3k2n6q4t1vxd",
			"status": "sent",
			"mode": "publish",
			"privacyLevel": "SELF_ONLY",
			"scheduledFor": "2026-11-21T09:00:00.000Z",
			"title": "5 habits small enough for a bad day",
			"description": "Small enough to do tired.\n\n#habits",
			"disableComment": false,
			"brandOrganic": false,
			"brandedContent": false,
			"aiGenerated": true,
			"autoAddMusic": true,
			"outcome": "published",
			"failure": null,
			"platformPostId": "7543210987654321098",
			"platformPostUrl": "https://www.tiktok.com/@maya.makes/photo/7543210987654321098",
			"sentAt": "2026-11-21T09:00:00.000Z",
			"automationId": null,
			"createdAt": "2026-11-21T09:00:00.000Z",
			"updatedAt": "2026-11-21T09:00:00.000Z"
		}
	},
	"schedule.failed": {
		"id": "event_01k9ztqav3b6n9m2x5c8q1w4er",
		"type": "schedule.failed",
		"timestamp": "2026-11-21T09:00:00.000Z",
		"createdAt": "2026-11-21T09:00:00.000Z",
		"sequence": 2,
		"data": {
			"id": "schedule_01jd7r9c5mfw8s3k2n6q4t1vxc",
			"contentId": "content_01jd7r9c5mfw8s3k2n6q4t1vxz",
			"contentVersion": 1,
			"tiktokAccountId": "account_01jd7r9c5mfw8s3k2n6q4t1vxd",
			"status": "failed",
			"mode": "draft",
			"privacyLevel": null,
			"scheduledFor": "2026-11-21T09:00:00.000Z",
			"title": "5 habits small enough for a bad day",
			"description": "Small enough to do tired.\n\n#habits",
			"disableComment": false,
			"brandOrganic": false,
			"brandedContent": false,
			"aiGenerated": true,
			"autoAddMusic": true,
			"outcome": null,
			"failure": {
				"code": "tiktok_publish_failed",
				"category": "platform_rejected",
				"message": "TikTok refused the post because of its spam rules.",
				"retryable": false,
				"platformMessage": "spam_risk"
			},
			"platformPostId": null,
			"platformPostUrl": null,
			"sentAt": null,
			"automationId": null,
			"createdAt": "2026-11-21T09:00:00.000Z",
			"updatedAt": "2026-11-21T09:00:00.000Z"
		}
	}
};
// packages/cli/src/commands/events.ts
init_failure();
const sampleEvents = sample_events_default;
const eventTypes = Object.keys(sampleEvents);
function addEvents(program, bind) {
	const choice = `comma-separated: ${eventTypes.join(", ")}`;
	program.command("listen").description("forward events to a server on this machine, signed like a webhook").option("--forward-to <address>", "where to, such as localhost:3000/hook").option("--events <types>", choice).option("--since <time>", "earlier events first: 10m, 2h, 3d, an ISO time, or beginning").option("--print-secret", "print the secret that signs, and end").addHelpText("after", `
Reads the event feed, so it needs no registered webhook and no tunnel. The secret stays the same across restarts;
HOOKLINE_WEBHOOK_SECRET sets another. Each event is sent once; a receiver that fails is reported.

Example:
  WEBHOOK_SECRET=$(hookline listen --print-secret) PORT=9000 node receiver.ts &
  hookline listen --forward-to localhost:9000`).action(bind(listen));
	program.command("trigger <event>").description("send a sample event to an address, signed like a webhook").requiredOption("--to <address>", "where to, such as localhost:3000/hook").addHelpText("after", `
Events: ${eventTypes.join(", ")}

Example:
  hookline trigger schedule.published --to localhost:3000/hook`).action(bind(trigger));
	program.command("tail").description("print events as they come").option("--events <types>", choice).option("--since <time>", "earlier events first: 10m, 2h, 3d, an ISO time, or beginning").action(bind(tail));
}
async function listen(run, options) {
	const { out, io } = run;
	const secret = webhookSecret(io.env);
	if (options.printSecret) return out.text(`${secret}\n`);
	if (options.forwardTo === void 0) throw usage("--forward-to is needed: an address such as localhost:3000/hook.");
	const url = receiverUrl(options.forwardTo);
	out.say(out.note(`Forwarding to ${url}; "hookline listen --print-secret" prints the secret for the receiver.`));
	await watch(run, options, async (event) => {
		const delivered = await deliver(url, event, secret, io.signal);
		if (!io.signal.aborted) out.entry({
			event: event.id,
			type: event.type,
			to: url,
			...delivered
		}, () => deliveryLine(run, event, delivered));
	});
}
function deliveryLine({ out }, event, { status, error, durationMs }) {
	const result = error === null ? out.style("green", String(status)) : out.style("red", plain(error));
	return `${eventLine(event, out.style("bold", plain(event.type)))}  ${result} ${out.style("dim", `${durationMs} ms`)}`;
}
function eventLine(event, type) {
	const subject = subjectOf(event).replace(/\s+/g, " ");
	return `${plain(clock(event.timestamp))}  ${type}  ${subject.slice(0, 100)}`;
}
async function tail(run, options) {
	const { out } = run;
	await watch(run, options, async (event) => {
		out.entry(event, () => eventLine(event, out.style("bold", plain(event.type))));
	});
}
async function watch(run, options, onEvent) {
	const types = typesOf(options.events, eventTypes);
	const since = sinceOf(options.since, run.io.now());
	await follow(run.client(), since, run.io.signal, async (event) => {
		if (types === null || types.has(event.type)) await onEvent(event);
	}, () => run.out.say(run.out.note("Waiting for events; Ctrl-C ends.")), (failure) => run.out.say(run.out.note(`${plain(failure.message)} Trying again.`)));
}
async function trigger(run, type, options) {
	const sample = sampleEvents[type];
	if (sample === void 0) throw usage(`There is no event "${type}"; there are ${eventTypes.join(", ")}.`);
	const url = receiverUrl(options.to);
	const at = run.io.now().toISOString();
	const event = {
		...sample,
		id: `event_sample${randomBytes(10).toString("hex")}`,
		timestamp: at,
		createdAt: at
	};
	const delivered = await deliver(url, event, webhookSecret(run.io.env), run.io.signal);
	run.out.record({
		event: event.id,
		type,
		to: url,
		...delivered
	}, () => [deliveryLine(run, event, delivered)]);
	if (delivered.error === null) return;
	const exitCode = delivered.status === null ? exitCodes.unreachable : exitCodes.refused;
	throw new Failure(exitCode, {
		code: "not_delivered",
		message: `${url}: ${delivered.error}.`
	});
}
// packages/cli/src/access.ts
init_failure();
const defaultBaseUrl = "http://localhost:8080/api/v1";
function toBaseUrl(text) {
	let url;
	try {
		url = new URL(text.includes("://") ? text : `https://${text}`);
	} catch {
		throw usage(`"${text}" is not an address; a base URL looks like ${defaultBaseUrl}.`);
	}
	if (!["http:", "https:"].includes(url.protocol) || url.username || url.search || url.hash) throw usage(`"${url.origin}" is not a base URL; one looks like ${defaultBaseUrl}.`);
	const path = url.pathname.replace(/\/+$/, "");
	return url.origin + (path === "" ? "/api/v1" : path);
}
function findLocalProduct(env, from) {
	const places = env.DATA_DIR ? [resolve(from, env.DATA_DIR)] : foldersAbove(from).map((dir) => join(dir, ".data"));
	for (const place of places) {
		const path = join(place, "first-run.json");
		try {
			const { uid, mode } = statSync(path);
			if (process.getuid && uid !== process.getuid()) continue;
			if ((mode & 18) !== 0) continue;
			const found = JSON.parse(readFileSync(path, "utf8"));
			if (typeof found.baseUrl === "string") return {
				...found,
				path
			};
		} catch {}
	}
	return null;
}
function foldersAbove(from) {
	const above = dirname(from);
	return above === from ? [from] : [from, ...foldersAbove(above)];
}
function resolveAccess(flags, env, from) {
	if (flags.profile !== void 0) return profileAccess(flags.profile, flags.baseUrl, env);
	const asked = flags.baseUrl ?? env.HOOKLINE_BASE_URL;
	const baseUrl = asked === void 0 || asked === "" ? void 0 : toBaseUrl(asked);
	const profileName = env.HOOKLINE_PROFILE || void 0;
	if (env.HOOKLINE_API_KEY) return {
		baseUrl: baseUrl ?? storedProfile(profileName, env)?.baseUrl ?? defaultBaseUrl,
		apiKey: env.HOOKLINE_API_KEY,
		source: "HOOKLINE_API_KEY"
	};
	const profile = storedProfile(profileName, env);
	if (profile !== null && (baseUrl === void 0 || baseUrl === profile.baseUrl)) return accessOf(profile);
	const local = findLocalProduct(env, from);
	if (local !== null && (baseUrl === void 0 || baseUrl === toBaseUrl(local.baseUrl))) return {
		baseUrl: toBaseUrl(local.baseUrl),
		apiKey: local.agentKey ?? local.apiKey,
		email: local.email,
		password: local.password,
		source: `${local.agentKey === void 0 ? "apiKey, which approves and publishes," : "agentKey"} in ${local.path}`
	};
	return {
		baseUrl: baseUrl ?? defaultBaseUrl,
		apiKey: void 0,
		source: "no key"
	};
}
function profileAccess(name, asked, env) {
	const profile = storedProfile(name, env);
	if (profile === null) throw usage(`There is no profile "${name}".`);
	if (asked !== void 0 && toBaseUrl(asked) !== profile.baseUrl) throw usage(`The profile "${name}" is for ${profile.baseUrl}, not for ${toBaseUrl(asked)}: leave one out.`);
	return accessOf(profile);
}
function accessOf({ name, baseUrl, apiKey, email }) {
	return {
		baseUrl,
		apiKey,
		email,
		source: `profile ${name}`
	};
}
function storedProfile(name, env) {
	const config = readConfig(env);
	const chosen = name ?? config.profile;
	const profile = chosen === void 0 ? void 0 : config.profiles[chosen];
	if (profile !== void 0 && chosen !== void 0) return {
		...profile,
		name: chosen
	};
	if (name === void 0) return null;
	const names = Object.keys(config.profiles);
	throw usage(`There is no profile "${name}"${names.length > 0 ? `; there are ${names.join(", ")}` : ""}.`, `hookline login --profile ${name}`);
}
// packages/cli/src/client.ts
function clientOptions(baseUrl) {
	return {
		baseUrl,
		headers,
		timeoutMs: timeoutMs$1
	};
}
function createClient({ baseUrl, apiKey }, { onWait, onAnswer }) {
	if (apiKey === void 0) throw noAccess(`There is no key for ${baseUrl}.`, "hookline login, or set HOOKLINE_API_KEY; on the machine of \"npm start\" run it in that folder");
	const attempts = new Map();
	return new Hookline({
		...clientOptions(baseUrl),
		apiKey,
		maxRetries,
		fetch: async (input, init) => {
			const response = await fetch(input, init);
			onAnswer?.(response);
			const call = `${init?.method} ${input}`;
			const made = (attempts.get(call) ?? 0) + 1;
			const seconds = Number(response.headers.get("retry-after"));
			const isRepeated = !response.ok && seconds > 0 && seconds <= waitMaxSeconds && made <= maxRetries;
			attempts.set(call, isRepeated ? made : 0);
			if (isRepeated) onWait(seconds, response.status === 429 ? "too many requests" : `it answered ${response.status}`);
			return response;
		}
	});
}
function createSessionClient(baseUrl, cookie) {
	return new Hookline({
		...clientOptions(sessionBaseUrl(baseUrl)),
		apiKey: "session",
		fetch: (input, init) => {
			const { authorization: _none, ...rest } = { ...init?.headers };
			return fetch(input, {
				...init,
				headers: {
					...rest,
					...sessionHeaders,
					cookie
				}
			});
		}
	});
}
var maxRetries, waitMaxSeconds, timeoutMs$1, headers, sessionHeaders;
var init_client = __esmMin((() => {
	init_dist$5();
	init_failure();
	init_links();
	init_version();
	maxRetries = 2;
	waitMaxSeconds = 60;
	timeoutMs$1 = 18e4;
	headers = { "user-agent": `hookline-cli/${version}` };
	sessionHeaders = { "sec-fetch-site": "same-origin" };
}));
// node_modules/fast-wrap-ansi/lib/main.js
function wrapAnsi(string, columns, options) {
	return String(string).normalize().split(CRLF_OR_LF).map((line) => exec(line, columns, options)).join("\n");
}
var ESC$1, CSI$1, END_CODE, ANSI_ESCAPE_BELL, ANSI_CSI, ANSI_OSC, ANSI_SGR_TERMINATOR, ANSI_ESCAPE_LINK, GROUP_REGEX, getClosingCode, wrapAnsiCode, wrapAnsiHyperlink, wrapWord, stringVisibleTrimSpacesRight, exec, CRLF_OR_LF;
var init_main = __esmMin((() => {
	init_dist$3();
	ESC$1 = "\x1B";
	CSI$1 = "";
	END_CODE = 39;
	ANSI_ESCAPE_BELL = "\x07";
	ANSI_CSI = "[";
	ANSI_OSC = "]";
	ANSI_SGR_TERMINATOR = "m";
	ANSI_ESCAPE_LINK = `${ANSI_OSC}8;;`;
	GROUP_REGEX = new RegExp(`(?:\\${ANSI_CSI}(?<code>\\d+)m|\\${ANSI_ESCAPE_LINK}(?<uri>.*)${ANSI_ESCAPE_BELL})`, "y");
	getClosingCode = (openingCode) => {
		if (openingCode >= 30 && openingCode <= 37) return 39;
		if (openingCode >= 90 && openingCode <= 97) return 39;
		if (openingCode >= 40 && openingCode <= 47) return 49;
		if (openingCode >= 100 && openingCode <= 107) return 49;
		if (openingCode === 1 || openingCode === 2) return 22;
		if (openingCode === 3) return 23;
		if (openingCode === 4) return 24;
		if (openingCode === 7) return 27;
		if (openingCode === 8) return 28;
		if (openingCode === 9) return 29;
		if (openingCode === 0) return 0;
	};
	wrapAnsiCode = (code) => `${ESC$1}${ANSI_CSI}${code}${ANSI_SGR_TERMINATOR}`;
	wrapAnsiHyperlink = (url) => `${ESC$1}${ANSI_ESCAPE_LINK}${url}${ANSI_ESCAPE_BELL}`;
	wrapWord = (rows, word, columns) => {
		const characters = word[Symbol.iterator]();
		let isInsideEscape = false;
		let isInsideLinkEscape = false;
		let lastRow = rows.at(-1);
		let visible = lastRow === void 0 ? 0 : fastStringWidth(lastRow);
		let currentCharacter = characters.next();
		let nextCharacter = characters.next();
		let rawCharacterIndex = 0;
		while (!currentCharacter.done) {
			const character = currentCharacter.value;
			const characterLength = fastStringWidth(character);
			if (visible + characterLength <= columns) rows[rows.length - 1] += character;
			else {
				rows.push(character);
				visible = 0;
			}
			if (character === ESC$1 || character === CSI$1) {
				isInsideEscape = true;
				isInsideLinkEscape = word.startsWith(ANSI_ESCAPE_LINK, rawCharacterIndex + 1);
			}
			if (isInsideEscape) {
				if (isInsideLinkEscape) {
					if (character === ANSI_ESCAPE_BELL) {
						isInsideEscape = false;
						isInsideLinkEscape = false;
					}
				} else if (character === ANSI_SGR_TERMINATOR) isInsideEscape = false;
			} else {
				visible += characterLength;
				if (visible === columns && !nextCharacter.done) {
					rows.push("");
					visible = 0;
				}
			}
			currentCharacter = nextCharacter;
			nextCharacter = characters.next();
			rawCharacterIndex += character.length;
		}
		lastRow = rows.at(-1);
		if (!visible && lastRow !== void 0 && lastRow.length && rows.length > 1) rows[rows.length - 2] += rows.pop();
	};
	stringVisibleTrimSpacesRight = (string) => {
		const words = string.split(" ");
		let last = words.length;
		while (last) {
			if (fastStringWidth(words[last - 1])) break;
			last--;
		}
		if (last === words.length) return string;
		return words.slice(0, last).join(" ") + words.slice(last).join("");
	};
	exec = (string, columns, options = {}) => {
		if (options.trim !== false && string.trim() === "") return "";
		let returnValue = "";
		let escapeCode;
		let escapeUrl;
		const words = string.split(" ");
		let rows = [""];
		let rowLength = 0;
		for (let index = 0; index < words.length; index++) {
			const word = words[index];
			if (options.trim !== false) {
				const row = rows.at(-1) ?? "";
				const trimmed = row.trimStart();
				if (row.length !== trimmed.length) {
					rows[rows.length - 1] = trimmed;
					rowLength = fastStringWidth(trimmed);
				}
			}
			if (index !== 0) {
				if (rowLength >= columns && (options.wordWrap === false || options.trim === false)) {
					rows.push("");
					rowLength = 0;
				}
				if (rowLength || options.trim === false) {
					rows[rows.length - 1] += " ";
					rowLength++;
				}
			}
			const wordLength = fastStringWidth(word);
			if (options.hard && wordLength > columns) {
				const remainingColumns = columns - rowLength;
				const breaksStartingThisLine = 1 + Math.floor((wordLength - remainingColumns - 1) / columns);
				if (Math.floor((wordLength - 1) / columns) < breaksStartingThisLine) rows.push("");
				wrapWord(rows, word, columns);
				rowLength = fastStringWidth(rows.at(-1) ?? "");
				continue;
			}
			if (rowLength + wordLength > columns && rowLength && wordLength) {
				if (options.wordWrap === false && rowLength < columns) {
					wrapWord(rows, word, columns);
					rowLength = fastStringWidth(rows.at(-1) ?? "");
					continue;
				}
				rows.push("");
				rowLength = 0;
			}
			if (rowLength + wordLength > columns && options.wordWrap === false) {
				wrapWord(rows, word, columns);
				rowLength = fastStringWidth(rows.at(-1) ?? "");
				continue;
			}
			rows[rows.length - 1] += word;
			rowLength += wordLength;
		}
		if (options.trim !== false) rows = rows.map((row) => stringVisibleTrimSpacesRight(row));
		const preString = rows.join("\n");
		let inSurrogate = false;
		for (let i = 0; i < preString.length; i++) {
			const character = preString[i];
			returnValue += character;
			if (!inSurrogate) {
				inSurrogate = character >= "\ud800" && character <= "\udbff";
				if (inSurrogate) continue;
			} else inSurrogate = false;
			if (character === ESC$1 || character === CSI$1) {
				GROUP_REGEX.lastIndex = i + 1;
				const groups = GROUP_REGEX.exec(preString)?.groups;
				if (groups?.code !== void 0) {
					const code = Number.parseFloat(groups.code);
					escapeCode = code === END_CODE ? void 0 : code;
				} else if (groups?.uri !== void 0) escapeUrl = groups.uri.length === 0 ? void 0 : groups.uri;
			}
			if (preString[i + 1] === "\n") {
				if (escapeUrl) returnValue += wrapAnsiHyperlink("");
				const closingCode = escapeCode ? getClosingCode(escapeCode) : void 0;
				if (escapeCode && closingCode) returnValue += wrapAnsiCode(closingCode);
			} else if (character === "\n") {
				if (escapeCode && getClosingCode(escapeCode)) returnValue += wrapAnsiCode(escapeCode);
				if (escapeUrl) returnValue += wrapAnsiHyperlink(escapeUrl);
			}
		}
		return returnValue;
	};
	CRLF_OR_LF = /\r?\n/;
}));
// node_modules/@clack/core/node_modules/sisteransi/dist/index.js
var ESC, CSI, cursor, erase;
var init_dist$2 = __esmMin((() => {
	ESC = "\x1B";
	CSI = `${ESC}[`;
	cursor = {
		to(x, y) {
			if (!y) return `${CSI}${x + 1}G`;
			return `${CSI}${y + 1};${x + 1}H`;
		},
		move(x, y) {
			let ret = "";
			if (x < 0) ret += `${CSI}${-x}D`;
			else if (x > 0) ret += `${CSI}${x}C`;
			if (y < 0) ret += `${CSI}${-y}A`;
			else if (y > 0) ret += `${CSI}${y}B`;
			return ret;
		},
		up: (count = 1) => `${CSI}${count}A`,
		down: (count = 1) => `${CSI}${count}B`,
		forward: (count = 1) => `${CSI}${count}C`,
		backward: (count = 1) => `${CSI}${count}D`,
		nextLine: (count = 1) => `${CSI}E`.repeat(count),
		prevLine: (count = 1) => `${CSI}F`.repeat(count),
		left: `${CSI}G`,
		hide: `${CSI}?25l`,
		show: `${CSI}?25h`,
		save: `${ESC}7`,
		restore: `${ESC}8`
	};
	erase = {
		screen: `${CSI}2J`,
		up: (count = 1) => `${CSI}1J`.repeat(count),
		down: (count = 1) => `${CSI}J`.repeat(count),
		line: `${CSI}2K`,
		lineEnd: `${CSI}K`,
		lineStart: `${CSI}1K`,
		lines(count) {
			let clear = "";
			for (let i = 0; i < count; i++) clear += this.line + (i < count - 1 ? cursor.up() : "");
			if (count) clear += cursor.left;
			return clear;
		}
	};
}));
// node_modules/@clack/core/dist/index.mjs
function findCursor(o, s, l) {
	if (!l.some((r) => !r.disabled)) return o;
	const t = o + s, n = Math.max(l.length - 1, 0), e = t < 0 ? n : t > n ? 0 : t;
	return l[e]?.disabled ? findCursor(e, s < 0 ? -1 : 1, l) : e;
}
function isAccessible(n) {
	if (n !== void 0) return n;
	if (settings.accessible !== void 0) return settings.accessible;
	const e = process.env.ACCESSIBLE;
	return e !== void 0 && e !== "" && e !== "0" && e !== "false";
}
function isActionKey(n, e) {
	if (typeof n == "string") return settings.aliases.get(n) === e;
	for (const s of n) if (s !== void 0 && isActionKey(s, e)) return true;
	return false;
}
function diffLines(i, s) {
	if (i === s) return;
	const e = i.split(`
`), t = s.split(`
`), r = Math.max(e.length, t.length), f = [];
	for (let n = 0; n < r; n++) e[n] !== t[n] && f.push(n);
	return {
		lines: f,
		numLinesBefore: e.length,
		numLinesAfter: t.length,
		numLines: r
	};
}
function isCancel(e) {
	return e === CANCEL_SYMBOL;
}
function setRawMode(e, r) {
	const o = e;
	o.isTTY && o.setRawMode(r);
}
function wrapTextWithPrefix(e, r, o, n = o, s = o, t) {
	return wrapAnsi(r, getColumns(e ?? stdout) - fastStringWidth(o), {
		hard: true,
		trim: false
	}).split(`
`).map((c, a, g) => {
		const m = t ? t(c, a) : c;
		return a === 0 ? `${n}${m}` : a === g.length - 1 ? `${s}${m}` : `${o}${m}`;
	}).join(`
`);
}
function runValidation(e, a) {
	if ("~standard" in e) {
		const n = e["~standard"].validate(a);
		return n instanceof Promise ? n.then((r) => r.issues?.at(0)?.message) : n.issues?.at(0)?.message;
	}
	return e(a);
}
var settings, CANCEL_SYMBOL, getColumns, getRows, C$1, u$2, n$1, n;
var init_dist$1 = __esmMin((() => {
	init_main();
	init_dist$2();
	init_dist$3();
	settings = {
		actions: new Set([
			"up",
			"down",
			"left",
			"right",
			"space",
			"enter",
			"cancel"
		]),
		aliases: new Map([
			["k", "up"],
			["j", "down"],
			["h", "left"],
			["l", "right"],
			["", "cancel"],
			["escape", "cancel"]
		]),
		messages: {
			cancel: "Canceled",
			error: "Something went wrong"
		},
		withGuide: true,
		accessible: void 0,
		date: {
			monthNames: [...[
				"January",
				"February",
				"March",
				"April",
				"May",
				"June",
				"July",
				"August",
				"September",
				"October",
				"November",
				"December"
			]],
			messages: {
				required: "Please enter a valid date",
				invalidMonth: "There are only 12 months in a year",
				invalidDay: (n, e) => `There are only ${n} days in ${e}`,
				afterMin: (n) => `Date must be on or after ${n.toISOString().slice(0, 10)}`,
				beforeMax: (n) => `Date must be on or before ${n.toISOString().slice(0, 10)}`
			}
		}
	};
	globalThis.process.platform.startsWith("win");
	CANCEL_SYMBOL = Symbol("clack:cancel");
	getColumns = (e) => "columns" in e && typeof e.columns == "number" ? e.columns : 80;
	getRows = (e) => "rows" in e && typeof e.rows == "number" ? e.rows : 20;
	C$1 = class C {
		input;
		output;
		_abortSignal;
		rl;
		opts;
		_render;
		_track = false;
		_prevFrame = "";
		_subscribers = new Map();
		_cursor = 0;
		state = "initial";
		error = "";
		value;
		userInput = "";
		get accessible() {
			return isAccessible(this.opts.accessible);
		}
		constructor(t, e = true) {
			const { input: i = stdin, output: s = stdout, render: r, signal: n, ...o } = t;
			this.opts = o, this.onKeypress = this.onKeypress.bind(this), this.close = this.close.bind(this), this.render = this.render.bind(this), this._render = r.bind(this), this._track = e, this._abortSignal = n, this.input = i, this.output = s;
		}
		unsubscribe() {
			this._subscribers.clear();
		}
		setSubscriber(t, e) {
			const i = this._subscribers.get(t) ?? [];
			i.push(e), this._subscribers.set(t, i);
		}
		on(t, e) {
			this.setSubscriber(t, { cb: e });
		}
		once(t, e) {
			this.setSubscriber(t, {
				cb: e,
				once: true
			});
		}
		emit(t, ...e) {
			const i = this._subscribers.get(t) ?? [], s = [];
			for (const r of i) r.cb(...e), r.once && s.push(() => i.splice(i.indexOf(r), 1));
			for (const r of s) r();
		}
		prompt() {
			return new Promise((t) => {
				if (this._abortSignal) {
					if (this._abortSignal.aborted) return this.state = "cancel", this.close(), t(CANCEL_SYMBOL);
					this._abortSignal.addEventListener("abort", () => {
						this.state = "cancel", this.close();
					}, { once: true });
				}
				this.rl = f__default.createInterface({
					input: this.input,
					tabSize: 2,
					prompt: "",
					escapeCodeTimeout: 50,
					terminal: true
				}), this.rl.prompt(), this.opts.initialUserInput !== void 0 && this._setUserInput(this.opts.initialUserInput, true), this.input.on("keypress", this.onKeypress), setRawMode(this.input, true), this.output.on("resize", this.render), this.render(), this.once("submit", () => {
					this.output.write(cursor.show), this.output.off("resize", this.render), setRawMode(this.input, false), t(this.value);
				}), this.once("cancel", () => {
					this.output.write(cursor.show), this.output.off("resize", this.render), setRawMode(this.input, false), t(CANCEL_SYMBOL);
				});
			});
		}
		_isActionKey(t, e) {
			return t === "	";
		}
		_shouldSubmit(t, e) {
			return true;
		}
		_setValue(t) {
			this.value = t, this.emit("value", this.value);
		}
		_setUserInput(t, e) {
			this.userInput = t ?? "", this.emit("userInput", this.userInput), e && this._track && this.rl && (this.rl.write(this.userInput), this._cursor = this.rl.cursor);
		}
		_clearUserInput() {
			this.rl?.write(null, {
				ctrl: true,
				name: "u"
			}), this._setUserInput("");
		}
		async onKeypress(t, e) {
			if (this.state !== "validating") {
				if (this._track && e.name !== "return" && (e.name && this._isActionKey(t, e) && this.rl?.write(null, {
					ctrl: true,
					name: "h"
				}), this._cursor = this.rl?.cursor ?? 0, this._setUserInput(this.rl?.line)), this.state === "error" && (this.state = "active"), e?.name && (!this._track && settings.aliases.has(e.name) && this.emit("cursor", settings.aliases.get(e.name)), settings.actions.has(e.name) && this.emit("cursor", e.name)), t && (t.toLowerCase() === "y" || t.toLowerCase() === "n") && this.emit("confirm", t.toLowerCase() === "y"), this.emit("key", t, e), e?.name === "return" && this._shouldSubmit(t, e)) {
					if (this.opts.validate) {
						const i = runValidation(this.opts.validate, this.value);
						let s;
						i instanceof Promise ? (this.state = "validating", this.render(), s = await i) : s = i, s && (this.error = s instanceof Error ? s.message : s, this.state = "error", this.rl?.write(this.userInput));
					}
					this.state !== "error" && (this.state = "submit");
				}
				isActionKey([
					t,
					e?.name,
					e?.sequence
				], "cancel") && (this.state = "cancel"), (this.state === "submit" || this.state === "cancel") && this.emit("finalize"), this.render(), (this.state === "submit" || this.state === "cancel") && this.close();
			}
		}
		close() {
			this.input.unpipe(), this.input.removeListener("keypress", this.onKeypress), this.output.write(`
`), setRawMode(this.input, false), this.rl?.close(), this.rl = void 0, this.emit(`${this.state}`, this.value), this.unsubscribe();
		}
		restoreCursor() {
			const t = wrapAnsi(this._prevFrame, getColumns(this.output), {
				hard: true,
				trim: false
			}).split(`
`).length - 1;
			this.output.write(cursor.move(-999, t * -1));
		}
		render() {
			const t = wrapAnsi(this._render(this) ?? "", getColumns(this.output), {
				hard: true,
				trim: false
			});
			if (t !== this._prevFrame) {
				if (this.state === "initial") this.output.write(cursor.hide);
				else {
					const e = diffLines(this._prevFrame, t), i = getRows(this.output);
					if (this.restoreCursor(), e) {
						const s = Math.max(0, e.numLinesAfter - i), r = Math.max(0, e.numLinesBefore - i);
						let n = e.lines.find((o) => o >= s);
						if (n === void 0) {
							this._prevFrame = t;
							return;
						}
						if (e.lines.length === 1) {
							this.output.write(cursor.move(0, n - r)), this.output.write(erase.lines(1));
							const o = t.split(`
`);
							this.output.write(o[n]), this._prevFrame = t, this.output.write(cursor.move(0, o.length - n - 1));
							return;
						} else if (e.lines.length > 1) {
							if (s < r) n = s;
							else {
								const h = n - r;
								h > 0 && this.output.write(cursor.move(0, h));
							}
							this.output.write(erase.down());
							const m = t.split(`
`).slice(n);
							this.output.write(m.join(`
`)), this._prevFrame = t;
							return;
						}
					}
					this.output.write(erase.down());
				}
				this.output.write(t), this.state === "initial" && (this.state = "active"), this._prevFrame = t;
			}
		}
	};
	u$2 = class extends C$1 {
		_mask = "•";
		get cursor() {
			return this._cursor;
		}
		get masked() {
			return this.userInput.replaceAll(/./g, this._mask);
		}
		get userInputWithCursor() {
			if (this.state === "submit" || this.state === "cancel") return this.masked;
			const t = this.userInput;
			if (this.cursor >= t.length) return `${this.masked}${styleText(["inverse", "hidden"], "_")}`;
			const s = this.masked, r = s.slice(0, this.cursor), i = s.slice(this.cursor, this.cursor + 1), o = s.slice(this.cursor + 1);
			return `${r}${styleText("inverse", i)}${o}`;
		}
		clear() {
			this._clearUserInput();
		}
		constructor({ mask: t, ...s }) {
			super(s), this._mask = t ?? "•", this.on("userInput", (r) => {
				this._setValue(r);
			}), this.on("finalize", () => {
				this.value === void 0 && (this.value = "");
			});
		}
	};
	n$1 = class n extends C$1 {
		options;
		cursor = 0;
		get _selectedValue() {
			return this.options[this.cursor];
		}
		changeValue() {
			const e = this._selectedValue;
			this.value = e === void 0 ? void 0 : e.value;
		}
		constructor(e) {
			super(e, false), this.options = e.options;
			const o = this.options.findIndex(({ value: s }) => s === e.initialValue), t = o === -1 ? 0 : o;
			this.cursor = this.options[t]?.disabled ? findCursor(t, 1, this.options) : t, this.changeValue(), this.on("cursor", (s) => {
				switch (s) {
					case "left":
					case "up":
						this.cursor = findCursor(this.cursor, -1, this.options);
						break;
					case "down":
					case "right": this.cursor = findCursor(this.cursor, 1, this.options);
				}
				this.changeValue();
			});
		}
	};
	n = class extends C$1 {
		get userInputWithCursor() {
			if (this.state === "submit") return this.userInput;
			const t = this.userInput;
			if (this.cursor >= t.length) return `${this.userInput}\u2588`;
			const r = t.slice(0, this.cursor), s = t.slice(this.cursor, this.cursor + 1), e = t.slice(this.cursor + 1);
			return `${r}${styleText("inverse", s)}${e}`;
		}
		get cursor() {
			return this._cursor;
		}
		constructor(t) {
			super({
				...t,
				initialUserInput: t.initialUserInput ?? t.initialValue
			}), this.on("userInput", (r) => {
				this._setValue(r);
			}), this.on("finalize", () => {
				this.value || (this.value = t.defaultValue), this.value === void 0 && (this.value = "");
			});
		}
	};
}));
// node_modules/@clack/prompts/dist/index.mjs
function isUnicodeSupported() {
	if (process$1.platform !== "win32") return process$1.env.TERM !== "linux";
	return Boolean(process$1.env.CI) || Boolean(process$1.env.WT_SESSION) || Boolean(process$1.env.TERMINUS_SUBLIME) || process$1.env.ConEmuTask === "{cmd::Cmder}" || process$1.env.TERM_PROGRAM === "Terminus-Sublime" || process$1.env.TERM_PROGRAM === "vscode" || process$1.env.TERM === "xterm-256color" || process$1.env.TERM === "alacritty" || process$1.env.TERMINAL_EMULATOR === "JetBrains-JediTerm";
}
function formatInstructionFooter(e, o, r) {
	const s = r ? `${styleText("cyan", S_BAR)}  ` : "", n = wrapTextWithPrefix(e, o.join(" • "), s).split(`
`);
	return r && n.push(styleText("cyan", S_BAR_END)), n;
}
var unicode, unicodeOr, S_STEP_ACTIVE, S_STEP_CANCEL, S_STEP_ERROR, S_STEP_SUBMIT, S_BAR, S_BAR_END, S_RADIO_ACTIVE, S_RADIO_INACTIVE, S_PASSWORD_MASK, symbol, symbolBar, E$1, limitOptions, password, SELECT_INSTRUCTIONS, c, select, text;
var init_dist = __esmMin((() => {
	init_dist$1();
	init_main();
	unicode = isUnicodeSupported();
	unicodeOr = (e, o) => unicode ? e : o;
	S_STEP_ACTIVE = unicodeOr("◆", "*");
	S_STEP_CANCEL = unicodeOr("■", "x");
	S_STEP_ERROR = unicodeOr("▲", "x");
	S_STEP_SUBMIT = unicodeOr("◇", "o");
	unicodeOr("┌", "T");
	S_BAR = unicodeOr("│", "|");
	S_BAR_END = unicodeOr("└", "—");
	unicodeOr("┐", "T");
	unicodeOr("┘", "—");
	S_RADIO_ACTIVE = unicodeOr("●", ">");
	S_RADIO_INACTIVE = unicodeOr("○", " ");
	unicodeOr("◻", "[•]");
	unicodeOr("◼", "[+]");
	unicodeOr("◻", "[ ]");
	S_PASSWORD_MASK = unicodeOr("▪", "•");
	unicodeOr("─", "-");
	unicodeOr("╮", "+");
	unicodeOr("├", "+");
	unicodeOr("╯", "+");
	unicodeOr("╰", "+");
	unicodeOr("╭", "+");
	unicodeOr("●", "•");
	unicodeOr("◆", "*");
	unicodeOr("▲", "!");
	unicodeOr("■", "x");
	symbol = (e) => {
		switch (e) {
			case "initial":
			case "active": return styleText("cyan", S_STEP_ACTIVE);
			case "cancel": return styleText("red", S_STEP_CANCEL);
			case "error": return styleText("yellow", S_STEP_ERROR);
			case "submit": return styleText("green", S_STEP_SUBMIT);
			case "validating": return styleText("dim", S_STEP_ACTIVE);
		}
	};
	symbolBar = (e) => {
		switch (e) {
			case "initial":
			case "active": return styleText("cyan", S_BAR);
			case "cancel": return styleText("red", S_BAR);
			case "error": return styleText("yellow", S_BAR);
			case "submit": return styleText("green", S_BAR);
		}
	};
	E$1 = (l, e, w, p, b, C = false) => {
		let r = e, O = 0;
		if (C) for (let i = p - 1; i >= w; i--) {
			const m = l[i];
			if (m && (r -= m.length), O++, r <= b) break;
		}
		else for (let i = w; i < p; i++) {
			const m = l[i];
			if (m && (r -= m.length), O++, r <= b) break;
		}
		return {
			lineCount: r,
			removals: O
		};
	};
	limitOptions = ({ cursor: l, options: e, style: w, output: p = process.stdout, maxItems: b = Number.POSITIVE_INFINITY, columnPadding: C = 0, rowPadding: r = 4 }) => {
		const i = getColumns(p) - C, m = getRows(p), M = styleText("dim", "..."), v = Math.max(m - r, 0), a = Math.max(Math.min(b, v), 5);
		let f = 0;
		l >= a - 3 && (f = Math.max(Math.min(l - a + 3, e.length - a), 0));
		let d = a < e.length && f > 0, c = a < e.length && f + a < e.length;
		const I = Math.min(f + a, e.length), s = [];
		let g = 0;
		d && g++, c && g++;
		const T = f + (d ? 1 : 0), W = I - (c ? 1 : 0);
		for (let t = T; t < W; t++) {
			const n = e[t], h = wrapAnsi(n !== void 0 ? w(n, t === l) : "", i, {
				hard: true,
				trim: false
			}).split(`
`);
			s.push(h), g += h.length;
		}
		if (g > v) {
			let t = 0, n = 0, o = g;
			const h = l - T;
			let u = v;
			const L = () => E$1(s, o, 0, h, u), y = () => E$1(s, o, h + 1, s.length, u, true);
			d ? ({lineCount: o, removals: t} = L(), o > u && (c || (u -= 1), {lineCount: o, removals: n} = y())) : (c || (u -= 1), {lineCount: o, removals: n} = y(), o > u && (u -= 1, {lineCount: o, removals: t} = L())), t > 0 && (d = true, s.splice(0, t)), n > 0 && (c = true, s.splice(s.length - n, n));
		}
		const x = [];
		d && x.push(M);
		for (const t of s) for (const n of t) x.push(n);
		return c && x.push(M), x;
	};
	`${styleText("dim", "↑/↓")}`, `${styleText("dim", "Space:")}`, `${styleText("dim", "Enter:")}`;
	password = (e) => new u$2({
		validate: e.validate,
		mask: e.mask ?? S_PASSWORD_MASK,
		signal: e.signal,
		input: e.input,
		output: e.output,
		render() {
			const r = e.withGuide ?? settings.withGuide, o = `${r ? `${styleText("gray", S_BAR)}
` : ""}${symbol(this.state)}  ${e.message}
`, m = this.userInputWithCursor, i = this.masked;
			switch (this.state) {
				case "error": {
					const s = r ? `${styleText("yellow", S_BAR)}  ` : "", n = r ? `${styleText("yellow", S_BAR_END)}  ` : "", d = i ?? "";
					return e.clearOnError && this.clear(), `${o.trim()}
${s}${d}
${n}${styleText("yellow", this.error)}
`;
				}
				case "submit": return `${o}${r ? `${styleText("gray", S_BAR)}  ` : ""}${i ? styleText("dim", i) : ""}`;
				case "cancel": return `${o}${r ? `${styleText("gray", S_BAR)}  ` : ""}${i ? styleText(["strikethrough", "dim"], i) : ""}${i && r ? `
${styleText("gray", S_BAR)}` : ""}`;
				default: return `${o}${r ? `${styleText("cyan", S_BAR)}  ` : ""}${m}
${r ? styleText("cyan", S_BAR_END) : ""}
`;
			}
		}
	}).prompt();
	unicodeOr("─", "-"), unicodeOr("━", "="), unicodeOr("█", "#");
	SELECT_INSTRUCTIONS = [`${styleText("dim", "↑/↓")} to navigate`, `${styleText("dim", "Enter:")} confirm`];
	c = (t, o) => t.includes(`
`) ? t.split(`
`).map((d) => o(d)).join(`
`) : o(t);
	select = (t) => {
		const o = (n, m) => {
			if (n === void 0) return "";
			const s = n.label ?? String(n.value);
			switch (m) {
				case "disabled": return `${styleText("gray", S_RADIO_INACTIVE)} ${c(s, (i) => styleText("gray", i))}${n.hint ? ` ${styleText("dim", `(${n.hint ?? "disabled"})`)}` : ""}`;
				case "selected": return `${c(s, (i) => styleText("dim", i))}`;
				case "active": return `${styleText("green", S_RADIO_ACTIVE)} ${s}${n.hint ? ` ${styleText("dim", `(${n.hint})`)}` : ""}`;
				case "cancelled": return `${c(s, (i) => styleText(["strikethrough", "dim"], i))}`;
				default: return `${styleText("dim", S_RADIO_INACTIVE)} ${c(s, (i) => styleText("dim", i))}`;
			}
		}, d = t.showInstructions ?? true;
		return new n$1({
			options: t.options,
			signal: t.signal,
			input: t.input,
			output: t.output,
			initialValue: t.initialValue,
			render() {
				const n = t.withGuide ?? settings.withGuide, m = `${symbol(this.state)}  `, s = `${symbolBar(this.state)}  `, i = wrapTextWithPrefix(t.output, t.message, s, m), u = `${n ? `${styleText("gray", S_BAR)}
` : ""}${i}
`;
				switch (this.state) {
					case "submit": {
						const r = n ? `${styleText("gray", S_BAR)}  ` : "";
						return `${u}${wrapTextWithPrefix(t.output, o(this.options[this.cursor], "selected"), r)}`;
					}
					case "cancel": {
						const r = n ? `${styleText("gray", S_BAR)}  ` : "";
						return `${u}${wrapTextWithPrefix(t.output, o(this.options[this.cursor], "cancelled"), r)}${n ? `
${styleText("gray", S_BAR)}` : ""}`;
					}
					default: {
						const r = n ? `${styleText("cyan", S_BAR)}  ` : "", a = u.split(`
`).length, p = d ? formatInstructionFooter(t.output, SELECT_INSTRUCTIONS, n) : n ? [styleText("cyan", S_BAR_END)] : [], f = p.join(`
`), b = p.length + 1;
						return `${u}${r}${limitOptions({
							output: t.output,
							cursor: this.cursor,
							options: this.options,
							maxItems: t.maxItems,
							columnPadding: r.length,
							rowPadding: a + b,
							style: (g, x) => o(g, g.disabled ? "disabled" : x ? "active" : "inactive")
						}).join(`
${r}`)}
${f}
`;
					}
				}
			}
		}).prompt();
	};
	`${styleText("gray", S_BAR)}`;
	text = (t) => new n({
		validate: t.validate,
		placeholder: t.placeholder,
		defaultValue: t.defaultValue,
		initialValue: t.initialValue,
		output: t.output,
		signal: t.signal,
		input: t.input,
		render() {
			const r = t?.withGuide ?? settings.withGuide, l = `${`${r ? `${styleText("gray", S_BAR)}
` : ""}${symbol(this.state)}  `}${t.message}
`, d = t.placeholder && t.placeholder.length > 0 ? styleText("inverse", t.placeholder[0]) + styleText("dim", t.placeholder.slice(1)) : styleText(["inverse", "hidden"], "_"), o = this.userInput ? this.userInputWithCursor : d, s = this.value ?? "";
			switch (this.state) {
				case "validating": {
					const n = r ? `${styleText("cyan", S_BAR)}  ` : "", i = r ? styleText("cyan", S_BAR_END) : "";
					return `${l}${n}${styleText("dim", o)}
${i}  ${styleText("dim", "Validating...")}
`;
				}
				case "error": {
					const n = this.error ? `  ${styleText("yellow", this.error)}` : "", i = r ? `${styleText("yellow", S_BAR)}  ` : "", c = r ? styleText("yellow", S_BAR_END) : "";
					return `${l.trim()}
${i}${o}
${c}${n}
`;
				}
				case "submit": {
					const n = s ? `${r ? "  " : ""}${styleText("dim", s)}` : "";
					return `${l}${r ? styleText("gray", S_BAR) : ""}${n}`;
				}
				case "cancel": {
					const n = s ? `  ${styleText(["strikethrough", "dim"], s)}` : "", i = r ? styleText("gray", S_BAR) : "";
					return `${l}${i}${n}${s.trim() ? `
${i}` : ""}`;
				}
				default: return `${l}${r ? `${styleText("cyan", S_BAR)}  ` : ""}${o}
${r ? styleText("cyan", S_BAR_END) : ""}
`;
			}
		}
	}).prompt();
}));
// packages/cli/src/person.ts
var person_exports = __exportAll({
	askSecret: () => askSecret,
	askText: () => askText,
	choose: () => choose,
	signInAsPerson: () => signInAsPerson
});
function answered(answer) {
	if (isCancel(answer)) throw interrupted();
	return String(answer ?? "").trim();
}
async function askText(message, initialValue = "", isRequired = true) {
	const validate = (value) => isRequired && !value?.trim() ? "Something is needed." : void 0;
	return answered(await text({
		message,
		initialValue,
		output,
		validate
	}));
}
async function askSecret(message) {
	const validate = (value) => value ? void 0 : "Something is needed.";
	const answer = await password({
		message,
		output,
		validate
	});
	if (isCancel(answer)) throw interrupted();
	return String(answer);
}
async function choose(message, options) {
	return answered(await select({
		message,
		options,
		output
	}));
}
async function signInAsPerson(run, access) {
	const email = access.email ?? await askText("E-mail of your account");
	const isLocal = access.password !== void 0;
	run.out.say(isLocal ? run.out.note(`Signing in as ${email}, with the password in .data/first-run.json.`) : run.out.note(`Signing in as ${email}: a decision is yours, not the key's.`));
	const password = access.password ?? await askSecret("Password");
	let cookie = "";
	const options = clientOptions(sessionBaseUrl(access.baseUrl));
	const session = new HooklineSession({
		...options,
		headers: {
			...options.headers,
			...sessionHeaders
		},
		fetch: async (input, init) => {
			const headers = {
				...init?.headers,
				...cookie === "" ? {} : { cookie }
			};
			const response = await fetch(input, {
				...init,
				headers
			});
			const given = response.headers.getSetCookie().map((line) => line.split(";", 1)[0] ?? "");
			if (given.length > 0) cookie = given.join("; ");
			return response;
		}
	});
	await session.auth.signIn({
		email,
		password
	});
	const signOut = async () => {
		await session.auth.signOut().catch(() => void 0);
	};
	return {
		client: createSessionClient(access.baseUrl, cookie),
		email,
		signOut
	};
}
var output;
var init_person = __esmMin((() => {
	init_dist();
	init_dist$5();
	init_client();
	init_failure();
	init_links();
	output = process.stderr;
}));
// packages/cli/src/commands/login.ts
init_dist$5();
init_client();
init_failure();
const fallback = "http://localhost:8080/api/v1";
const leftOut = ["content:approve", "schedules:publish"];
function addLogin(program, bind) {
	program.command("login").description("store a key for this machine").option("--with-key", "read an existing key from standard input instead of signing in").addHelpText("after", `
Signs in with e-mail and password, makes a key that neither approves nor publishes, and ends the session.
The key is stored with mode 0600; --profile names a second one. It is never taken from an argument.

Examples:
  hookline login
  hookline login --profile work --base-url https://hookline.example.com
  hookline login --with-key < key.txt`).action(bind(login));
	program.command("logout").description("forget the stored key; revoke it in the console").action(bind(logout));
}
async function login(run, options) {
	const { io, flags } = run;
	const config = readConfig(io.env);
	const name = flags.profile ?? io.env.HOOKLINE_PROFILE ?? config.profile ?? "default";
	if (!options.withKey && !io.canAsk) throw noAccess("Signing in needs a terminal.", "hookline login --with-key < key.txt");
	const asked = flags.baseUrl ?? io.env.HOOKLINE_BASE_URL;
	const known = config.profiles[name]?.baseUrl ?? findLocalProduct(io.env, process.cwd())?.baseUrl ?? fallback;
	const baseUrl = toBaseUrl(asked ?? (options.withKey ? known : await askFor("Base URL", known)));
	const { apiKey, email } = options.withKey ? { apiKey: await readGivenKey(run) } : await mintKey(baseUrl);
	await new Hookline({
		...clientOptions(baseUrl),
		apiKey
	}).accounts.list({ limit: 1 }).page();
	const path = writeConfig(io.env, {
		...config,
		profile: name,
		profiles: {
			...config.profiles,
			[name]: {
				baseUrl,
				apiKey,
				...email === void 0 ? {} : { email }
			}
		}
	});
	run.out.record({
		profile: name,
		baseUrl,
		config: path
	}, () => [`${run.out.style("green", "✓")} Logged in to ${baseUrl}, profile ${name}`]);
	run.out.say(run.out.note(`The key is in ${path}.`));
}
async function askFor(question, initial) {
	const { askText } = await Promise.resolve().then(() => (init_person(), person_exports));
	return await askText(question, initial);
}
async function readGivenKey({ io }) {
	let text = "";
	if (io.canAsk) {
		const { askSecret } = await Promise.resolve().then(() => (init_person(), person_exports));
		text = await askSecret("API key");
	} else for await (const chunk of io.stdin) {
		text += String(chunk);
		if (text.includes("\n") || text.length > 4096) break;
	}
	const key = text.trim();
	if (!/^svc_live_[0-9A-Za-z]{49}$/.test(key)) throw usage("That is not an API key: one is svc_live_ and 49 letters or digits.");
	return key;
}
async function mintKey(baseUrl) {
	const { askSecret, askText } = await Promise.resolve().then(() => (init_person(), person_exports));
	const email = await askText("E-mail");
	const password = await askSecret("Password");
	const session = await HooklineSession.signIn({
		...clientOptions(baseUrl),
		email,
		password
	});
	try {
		const role = (await session.auth.listOwnWorkspaces()).find(({ current }) => current)?.role ?? "viewer";
		const scopes = scopesByRole[role]?.filter((scope) => !leftOut.includes(scope));
		if (role === "viewer" || scopes === void 0) throw noAccess(`The role ${role} makes no keys; ask an owner for one.`);
		const { key } = await session.keys.create({
			name: `hookline on ${hostname()}`.slice(0, 200),
			scopes
		});
		if (key === void 0) throw noAccess("The key was made, but its answer was lost: try again.");
		return {
			apiKey: key,
			email
		};
	} finally {
		await session.auth.signOut().catch(() => void 0);
	}
}
async function logout(run) {
	const { io, flags } = run;
	const config = readConfig(io.env);
	const name = flags.profile ?? io.env.HOOKLINE_PROFILE ?? config.profile ?? "default";
	if (config.profiles[name] === void 0) throw usage(`There is no profile "${name}".`);
	const { [name]: _forgotten, ...profiles } = config.profiles;
	const { profile: _current, ...rest } = config;
	writeConfig(io.env, {
		...rest,
		...config.profile === name ? {} : { profile: config.profile ?? "default" },
		profiles
	});
	run.out.record({
		profile: name,
		config: configPath(io.env)
	}, () => [`Forgot the key of profile ${name}.`]);
}
// packages/cli/src/commands/mcp.ts
init_failure();
init_links();
init_version();
function addMcp(program, bind) {
	program.command("mcp").description("serve the tools of the product to an agent over standard input and output").addHelpText("after", `
Passes each message to POST /mcp of the product, so that the tools are those of its version and of the key in use.
No tool approves.

In an agent's configuration, where <checkout> is the folder of the repository:
  { "command": "node", "args": ["<checkout>/packages/cli/dist/hookline.js", "mcp"],
    "env": { "HOOKLINE_API_KEY": "…", "HOOKLINE_BASE_URL": "…" } }`).action(bind(mcp));
}
const timeoutMs = 18e4;
const lineBytesMax = 4194304;
const bridgeError = -32e3;
const pendingMax = 32;
async function mcp(run) {
	const access = run.access();
	if (access.apiKey === void 0) throw noAccess(`There is no key for ${access.baseUrl}.`, "hookline login");
	const bridge = createBridge(run, access);
	const pending = new Set();
	const lines = createInterface({
		input: run.io.stdin,
		crlfDelay: Number.POSITIVE_INFINITY
	});
	run.io.signal.addEventListener("abort", () => lines.close(), { once: true });
	for await (const line of lines) {
		if (line.trim() === "") continue;
		const work = bridge(line).finally(() => pending.delete(work));
		pending.add(work);
		if (line.includes("\"initialize\"")) await work;
		if (pending.size >= pendingMax) await Promise.race(pending);
	}
	await Promise.all(pending);
}
function createBridge({ io, out }, access) {
	const url = `${productUrl(access.baseUrl)}/mcp`;
	let protocolVersion;
	const write = (message) => io.stdout.write(`${JSON.stringify(message)}\n`);
	const refuse = (id, code, message) => {
		if (id !== void 0) write({
			jsonrpc: "2.0",
			id,
			error: {
				code,
				message
			}
		});
	};
	return async (line) => {
		let value;
		try {
			value = JSON.parse(line);
		} catch {
			return refuse(null, -32700, "The line is not JSON.");
		}
		if (typeof value !== "object" || value === null || Array.isArray(value)) return refuse(null, -32600, "The line is not a message: it must be an object.");
		const message = value;
		if (line.length > lineBytesMax) return refuse(message.id, -32600, "The message is too large.");
		try {
			const response = await fetch(url, {
				method: "POST",
				redirect: "manual",
				signal: AbortSignal.any([io.signal, AbortSignal.timeout(timeoutMs)]),
				headers: headersOf(message, access.apiKey ?? "", protocolVersion),
				body: line
			});
			const text = await response.text();
			const messages = messagesOf(text, response.headers.get("content-type") ?? "");
			for (const answer of messages) {
				protocolVersion = agreedVersion(message, answer) ?? protocolVersion;
				write(answer);
			}
			if (messages.some((answer) => answer.id === message.id) || message.id === void 0) return;
			refuse(message.id, bridgeError, `${url} answered ${response.status}: ${reasonIn(text)}`);
		} catch (error) {
			if (io.signal.aborted) return;
			const { message: why, cause } = error;
			out.say(`hookline: ${url} cannot be reached (${cause?.code ?? why}).`);
			refuse(message.id, bridgeError, `${url} cannot be reached (${cause?.code ?? why}).`);
		}
	};
}
function headersOf({ method, params }, apiKey, agreed) {
	const stated = (params?._meta)?.["io.modelcontextprotocol/protocolVersion"];
	const wanted = typeof stated === "string" ? stated : method === "initialize" ? void 0 : agreed;
	const name = params?.name ?? params?.uri;
	return {
		accept: "application/json, text/event-stream",
		"content-type": "application/json",
		authorization: `Bearer ${apiKey}`,
		"user-agent": `hookline-cli/${version}`,
		...wanted === void 0 ? {} : { "mcp-protocol-version": wanted },
		...wanted === void 0 || method === void 0 ? {} : { "mcp-method": method },
		...wanted !== void 0 && typeof name === "string" && isHeaderText(name) ? { "mcp-name": name } : {}
	};
}
const isHeaderText = (text) => /^[\x20-\x7e]{1,256}$/.test(text);
function agreedVersion({ method }, answer) {
	const { result } = answer;
	return method === "initialize" && typeof result?.protocolVersion === "string" ? result.protocolVersion : void 0;
}
function messagesOf(text, contentType) {
	return (contentType.includes("text/event-stream") ? text.split(/\r?\n\r?\n/).map((block) => block.split(/\r?\n/).filter((part) => part.startsWith("data:")).map((part) => part.slice(5).trimStart()).join("\n")) : [text]).flatMap((one) => {
		if (one.trim() === "") return [];
		try {
			const value = JSON.parse(one);
			return (Array.isArray(value) ? value : [value]).filter((entry) => entry?.jsonrpc === "2.0");
		} catch {
			return [];
		}
	});
}
function reasonIn(text) {
	try {
		const { error } = JSON.parse(text);
		return error?.message ?? "no message";
	} catch {
		return "no JSON: is the base URL right?";
	}
}
// packages/cli/src/commands/open.ts
init_failure();
init_links();
function addOpen(program, bind) {
	program.command("open [page]").description("open the console in a browser, and print the address").addHelpText("after", `\nPages: ${consolePages.join(", ")}`).action(bind(open));
}
async function open(run, page = "home") {
	if (!consolePages.includes(page)) throw usage(`There is no page "${page}"; there are ${consolePages.join(", ")}.`);
	const url = consoleUrl(run.access().baseUrl, page);
	run.out.record({ url }, () => [url]);
	if (run.io.stdout.isTty) openBrowser(url, run.io.env);
}
function openBrowser(url, env) {
	const isRemote = Boolean(env.SSH_CONNECTION);
	const hasDesktop = process.platform !== "linux" || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY);
	if (isRemote || !hasDesktop) return;
	const [program, args] = process.platform === "darwin" ? ["open", [url]] : process.platform === "win32" ? ["rundll32", ["url.dll,FileProtocolHandler", url]] : ["xdg-open", [url]];
	const child = spawn(program, args, {
		stdio: "ignore",
		detached: true
	});
	child.on("error", () => void 0);
	child.unref();
}
// packages/cli/src/keyboard.ts
init_failure();
function openKeyboard(stdin, signal, interrupt = () => void process.kill(process.pid, "SIGINT")) {
	let waiting = null;
	let isOver = signal.aborted;
	const onData = (data) => {
		const key = String(data);
		const waits = waiting;
		waiting = null;
		if (!(key.includes("") || key.includes(""))) waits?.resolve(key);
		else if (waits) waits.reject(interrupted());
		else interrupt();
	};
	const onEnd = () => {
		isOver = true;
		waiting?.reject(interrupted());
		waiting = null;
	};
	const listen = () => {
		stdin.setRawMode(true);
		stdin.on("data", onData);
		stdin.resume();
	};
	stdin.on("end", onEnd);
	signal.addEventListener("abort", onEnd, { once: true });
	listen();
	return {
		next: () => new Promise((resolve, reject) => {
			if (isOver) reject(interrupted());
			else waiting = {
				resolve,
				reject
			};
		}),
		lend: async (ask) => {
			stdin.off("data", onData);
			try {
				return await ask();
			} finally {
				listen();
			}
		},
		close: () => {
			stdin.off("data", onData);
			stdin.off("end", onEnd);
			signal.removeEventListener("abort", onEnd);
			stdin.setRawMode(false);
			stdin.pause();
		}
	};
}
// packages/cli/src/commands/review.ts
init_failure();
init_links();
function addReview(program, bind) {
	program.command("review").description("approve or reject waiting decks, one by one; people only").option("--app <app>", "only of this app, by id or name").option("--with-key", "decide with the key in use instead of signing in; it needs content:approve").addHelpText("after", `
Needs a terminal: a script is not a person. Without one it prints the address of the console and ends with 4.
Asks for your password, and decides as you. The session ends with the command.`).action(bind(review));
}
const rowsMax = 100;
const settleMs = 300;
const keys = "a approve   r reject   e edit   → next slide   s skip   q quit";
async function review(run, options) {
	const access = run.access();
	if (!run.io.canAsk || !run.io.stdout.isTty) {
		const url = consoleUrl(access.baseUrl, "approve");
		run.out.record({ url }, () => [url]);
		throw noAccess("Decks are approved by a person, and this is not a terminal.", `Open ${url}`);
	}
	if (options.withKey) return await reviewAs(run, run.client(), options.app);
	const { signInAsPerson } = await Promise.resolve().then(() => (init_person(), person_exports));
	const person = await signInAsPerson(run, access);
	try {
		await reviewAs(run, person.client, options.app);
	} finally {
		await person.signOut();
	}
}
async function reviewAs(run, client, app) {
	const appId = app === void 0 ? void 0 : await findApp(client, app);
	const waiting = await client.content.list({
		appId,
		status: "ready",
		approvalStatus: "pending",
		limit: rowsMax
	}).toArray(rowsMax);
	if (waiting.length === 0) run.out.say("Nothing waits for approval.");
	const counts = {
		approved: 0,
		rejected: 0,
		skipped: 0
	};
	const keyboard = openKeyboard(run.io.stdin, run.io.signal);
	try {
		for (const [at, { id }] of waiting.entries()) {
			run.out.say("");
			run.out.say(run.out.note(`Deck ${at + 1} of ${waiting.length}`));
			const decision = await decideOn(run, client, keyboard, id);
			if (decision === "quit") break;
			counts[decision] += 1;
		}
	} finally {
		keyboard.close();
	}
	const { approved, rejected, skipped } = counts;
	run.out.record(counts, () => [`${approved} approved, ${rejected} rejected, ${skipped} skipped`]);
}
async function decideOn(run, client, keyboard, id) {
	const { askText } = await Promise.resolve().then(() => (init_person(), person_exports));
	for (;;) {
		const content = await client.content.get(id).catch((error) => {
			if (!isNotFound(error)) throw error;
			return null;
		});
		if (content === null) {
			run.out.say(run.out.note("The deck is gone."));
			return "skipped";
		}
		if (content.status !== "ready" || content.approvalStatus !== "pending") {
			run.out.say(run.out.note(`Decided already: ${content.approvalStatus}.`));
			return "skipped";
		}
		let slide = 1;
		await showSlide(run, content, slide);
		for (const line of describeContent(run, content)) run.out.say(line);
		await setTimeout$1(settleMs);
		run.out.say(run.out.note(keys));
		for (;;) {
			const key = await keyboard.next();
			if (key === "q") return "quit";
			if (key === "s") return "skipped";
			if (key === " " || key === "\x1B[C") {
				slide = slide % Math.max(1, content.images.length) + 1;
				run.out.say(run.out.note(`Slide ${slide} of ${content.images.length}`));
				await showSlide(run, content, slide);
				continue;
			}
			if (key !== "a" && key !== "r" && key !== "e") continue;
			try {
				const { version, approvalStatus } = content;
				if (key === "e") {
					if (await edit(run, client, keyboard, content)) break;
					continue;
				}
				if (key === "a") {
					await client.content.approve(id, {
						version,
						approvalStatus
					});
					run.out.say(`${run.out.style("green", "✓")} Approved version ${version}.`);
					return "approved";
				}
				const reason = await keyboard.lend(() => askText("Why? It helps the next deck; leave empty for no reason", "", false));
				await client.content.reject(id, {
					version,
					approvalStatus,
					...reason === "" ? {} : { reason }
				});
				run.out.say(`${run.out.style("red", "✗")} Rejected version ${version}.`);
				return "rejected";
			} catch (error) {
				if (!isRefusal(error)) throw error;
				run.out.progress(null);
				run.out.failure(toFailure(error));
				break;
			}
		}
	}
}
async function edit(run, client, keyboard, content) {
	const { askText, choose } = await Promise.resolve().then(() => (init_person(), person_exports));
	const { result } = content;
	if (result === null) return false;
	const closing = closingField(content);
	const slides = result.bodySlides.map(({ text }, at) => ({
		value: `slide ${at}`,
		label: `Slide ${at + 2}`,
		hint: plain(text).slice(0, 60)
	}));
	const fields = [
		{
			value: "hook",
			label: "Hook",
			hint: plain(result.hook)
		},
		...slides,
		...closing === null ? [] : [{
			value: closing,
			label: "Closing line",
			hint: plain(result[closing])
		}],
		{
			value: "caption",
			label: "Caption",
			hint: plain(result.caption).slice(0, 60)
		},
		{
			value: "nothing",
			label: "Nothing"
		}
	];
	const field = await keyboard.lend(() => choose("What do you want to change?", fields));
	if (field === "nothing") return false;
	const at = field.startsWith("slide ") ? Number(field.slice(6)) : -1;
	const before = at >= 0 ? result.bodySlides[at]?.text ?? "" : String(result[field]);
	const text = await keyboard.lend(() => askText("New text", before));
	if (text === before) return false;
	const body = at >= 0 ? { bodySlides: result.bodySlides.map((slide, index) => index === at ? { text } : slide) } : { [field]: text };
	const now = await client.content.get(content.id);
	if (now.version !== content.version || now.approvalStatus !== content.approvalStatus) {
		run.out.say(run.out.note("The deck has changed since you saw it: your text was not saved."));
		return true;
	}
	run.out.progress("Drawing…");
	await client.content.update(content.id, body);
	run.out.progress(null);
	return true;
}
// packages/cli/src/commands/schedule.ts
init_dist$5();
init_failure();
function addSchedule(program, bind) {
	program.command("schedule <contentId>").description("post an approved deck at a time, as a draft unless --publish").option("--account <account>", "id or @handle (default: the only connected one)").option("--at <time>", "such as \"tomorrow 9:00\"; without it the post is sent now").option("--zone <zone>", "time zone of --at (default: of this machine)").option("--publish", "post directly instead of as a draft; the key needs schedules:publish").option("--privacy <level>", "who sees a direct post, such as SELF_ONLY").option("--dry-run", "check everything and change nothing").addHelpText("after", `
Times: "tomorrow 9:00", "fri 18:30", "in 2 hours", "2026-12-24 09:00", ISO 8601.

Examples:
  hookline schedule content_01k9… --at "tomorrow 9:00" --zone Europe/Berlin --dry-run
  hookline schedule content_01k9… --account @maya.makes --publish --privacy SELF_ONLY`).action(bind(schedule));
}
async function schedule(run, contentId, options) {
	const { out, io } = run;
	const zone = options.zone === void 0 ? systemZone() : checkZone(options.zone);
	const when = options.at === void 0 ? null : parseWhen(options.at, io.now(), zone);
	const client = run.client();
	const account = await findAccount(client, options.account);
	const body = {
		contentId,
		tiktokAccountId: account.id,
		mode: options.publish ? "publish" : "draft",
		privacyLevel: options.privacy,
		...when === null ? {} : { scheduledFor: when.at.toISOString() }
	};
	if (when?.note) out.say(out.note(when.note));
	const problems = options.dryRun ? await findProblems(run, body) : [];
	if (problems.length > 0) {
		const at = when?.at ?? io.now();
		out.record({
			postable: false,
			problems,
			scheduledFor: at.toISOString()
		}, () => [...timeLines(run, at, zone), ...problems.map(({ slide, code, message }) => {
			const where = slide === null ? "" : `slide ${slide}: `;
			return `${out.style("red", "✗")} ${where}${plain(message)} ${out.style("dim", code)}`;
		})]);
		const first = problems[0];
		throw new Failure(exitCodes.refused, {
			code: first.code,
			message: problems.length === 1 ? "It would be refused." : `It would be refused, for ${problems.length} reasons.`
		});
	}
	const made = options.dryRun ? await client.schedules.create(body, { dryRun: true }) : await client.schedules.create(body);
	out.record(made, () => [
		options.dryRun ? `${out.style("green", "✓")} Nothing prevents it; nothing was changed.` : `${out.style("green", "✓")} ${made.id}  ${made.status}`,
		...timeLines(run, new Date(made.scheduledFor), zone),
		`  @${plain(account.username)}, as a ${made.mode === "publish" ? `direct post (${made.privacyLevel})` : "draft"}`,
		`  “${plain(made.title)}”`
	]);
	if (!options.dryRun) out.say(out.note(`hookline why ${made.id}`));
}
function timeLines({ out, io }, at, zone) {
	const isNow = Math.abs(at.getTime() - io.now().getTime()) < 6e4;
	const utc = at.toISOString().replace(".000Z", "Z");
	return [`  ${isNow ? "now, " : ""}${inWords(at, zone)}  ${out.style("dim", utc)}`];
}
async function findProblems(run, body) {
	const client = run.client();
	const { problems } = await client.content.preflight(body.contentId, {
		tiktokAccountId: body.tiktokAccountId,
		mode: body.mode ?? "draft",
		privacyLevel: body.privacyLevel ?? void 0
	});
	if (problems.length > 0) return problems;
	try {
		await client.schedules.create(body, { dryRun: true });
		return [];
	} catch (error) {
		if (!(error instanceof HooklineError && toFailure(error).exitCode === exitCodes.refused)) throw error;
		return [{
			code: error.code,
			slide: null,
			measured: null,
			limit: null,
			message: error.message
		}];
	}
}
// packages/cli/src/commands/why.ts
init_failure();
init_links();
function addWhy(program, bind) {
	program.command("why <id>").description("what happened to a deck or a schedule, and what comes next").addHelpText("after", `
Examples:
  hookline why schedule_01k9…
  hookline why content_01k9…`).action(bind(why));
}
async function why(run, id) {
	const client = run.client();
	const kind = id.split("_", 1)[0];
	if (kind === "schedule") return await whySchedule(run, client, id);
	if (kind === "content") return await whyContent(run, client, id);
	throw usage(`"${id}" is neither a schedule_… nor a content_… id.`);
}
async function whySchedule(run, client, id) {
	const schedule = await client.schedules.get(id);
	const next = nextOfSchedule(schedule, run.io.now());
	run.out.record({
		...schedule,
		next
	}, () => [
		`${run.out.style("bold", id)}  ${schedule.status}${schedule.outcome ? `, ${schedule.outcome}` : ""}`,
		...timelineLines(run, schedule.timeline),
		...schedule.failure ? [`  ${run.out.style("red", plain(schedule.failure.message))}`] : [],
		`${run.out.style("cyan", "→")} ${plain(next)}`
	]);
}
function nextOfSchedule(schedule, now) {
	const { id, status, failure } = schedule;
	if (status === "pending") return `It is sent ${distance(schedule.scheduledFor, now)}.`;
	if (status === "sending") return "It is being sent.";
	if (failure?.code === "outcome_unknown") return "Nobody knows whether it was posted: look at the account before anything is sent again.";
	if (failure?.retryable) return `Try again: hookline api POST /schedules/${id}/retry`;
	if (failure) return `It is not sent again. Make another: hookline schedule ${schedule.contentId}`;
	if (schedule.outcome === "sent_to_drafts") return "Open the draft in the TikTok app and post it.";
	return schedule.platformPostUrl ?? "It is on the platform.";
}
async function whyContent(run, client, id) {
	const content = await client.content.get(id);
	const schedules = await client.schedules.list({
		contentId: id,
		limit: 20
	}).toArray(20);
	const timeline = await readTimeline(client, id) ?? recordedTimeline(content, schedules);
	const next = nextOfContent(content, schedules, run.access().baseUrl);
	run.out.record({
		id,
		status: content.status,
		approvalStatus: content.approvalStatus,
		timeline,
		schedules,
		next
	}, () => [
		`${run.out.style("bold", id)}  ${content.status}, ${content.approvalStatus}, version ${content.version}`,
		...timelineLines(run, timeline),
		`${run.out.style("cyan", "→")} ${plain(next)}`
	]);
}
async function readTimeline(client, id) {
	try {
		const { data } = await client.request("GET", `/content/${encodeURIComponent(id)}/timeline`);
		return data;
	} catch (error) {
		if (isNotFound(error)) return null;
		throw error;
	}
}
function recordedTimeline(content, schedules) {
	const { approval } = content;
	return [
		{
			at: content.createdAt,
			what: "made",
			detail: content.error?.message ?? content.result?.hook ?? null
		},
		...approval === null ? [] : [{
			at: content.updatedAt,
			what: approval.decision,
			detail: approval.reason ?? approval.by?.name ?? null
		}],
		...schedules.map(({ id, status, scheduledFor }) => ({
			at: scheduledFor,
			what: status,
			detail: id
		}))
	].sort((left, right) => left.at.localeCompare(right.at));
}
function nextOfContent(content, schedules, baseUrl) {
	if (content.status === "failed") return content.error?.message ?? "It failed and cost nothing.";
	if (content.status !== "ready") return `It is ${content.status}.`;
	if (content.approvalStatus === "pending") return `It waits for approval: hookline review, or ${approveUrl(baseUrl, content.id)}`;
	if (content.approvalStatus === "rejected") {
		const why = content.approval?.reason;
		return `It was rejected${why ? ` (${why})` : ""}. An edit puts it up for approval again.`;
	}
	const open = schedules.find(({ status }) => status !== "failed") ?? schedules[0];
	return open === void 0 ? `Schedule it: hookline schedule ${content.id}` : `hookline why ${open.id}`;
}
function timelineLines({ out }, timeline) {
	const wide = Math.max(0, ...timeline.map(({ what }) => what.length));
	return timeline.map(({ at, what, detail, by, version, scheduleId }) => {
		const text = [
			detail,
			version ? `version ${version}` : null,
			by ? `by ${by.name}` : null,
			scheduleId ?? null
		].filter((fact) => fact !== null && fact !== "").join(" · ");
		return `  ${out.style("dim", clock(at))}  ${plain(what).padEnd(wide)}  ${plain(text)}`;
	});
}
// packages/cli/src/run.ts
init_client();
function createRun(io, flags) {
	const out = createOutput(io, flags);
	let access;
	const findAccess = () => {
		access ??= resolveAccess(flags, io.env, process.cwd());
		return access;
	};
	return {
		io,
		out,
		flags,
		access: findAccess,
		client: (onAnswer) => createClient(findAccess(), {
			onAnswer,
			onWait: (seconds, why) => out.say(out.note(`${why}: to be asked again in ${seconds} s`))
		})
	};
}
// packages/cli/src/program.ts
init_version();
const exitCodeRows = [
	[0, "done"],
	[1, "the API refused; the error is on stderr"],
	[2, "wrong usage"],
	[3, "not reachable, or still 429 or 503 after the retries"],
	[4, "no key, a refused key, a missing scope, or no terminal for what only a person does"],
	[5, "--wait ended before the work did"],
	[130, "Ctrl-C"]
];
function createProgram(io) {
	const program = new Command("hookline");
	const bind = (handler) => (...args) => handler(createRun(io, program.opts()), ...args);
	program.description("Make, review and schedule slideshows for TikTok, and receive their events.").version(version, "--version", "print the version").option("--base-url <url>", "address of the API (HOOKLINE_BASE_URL)").option("--profile <name>", "stored login to use (HOOKLINE_PROFILE)").option("--json", "print JSON; the default when stdout is not a terminal").option("--quiet", "print no hints and no progress").helpOption("-h, --help", "show help").helpCommand("help [command]", "show help for a command").configureHelp({
		showGlobalOptions: true,
		styleTitle: (text) => io.stdout.style("bold", text),
		styleCommandText: (text) => io.stdout.style("cyan", text),
		styleSubcommandText: (text) => io.stdout.style("cyan", text),
		styleOptionText: (text) => io.stdout.style("cyan", text)
	}).configureOutput({
		writeOut: (text) => io.stdout.write(text),
		writeErr: (text) => io.stderr.write(text),
		getOutHelpWidth: () => Math.min(110, io.stdout.columns),
		getErrHelpWidth: () => Math.min(110, io.stderr.columns),
		getOutHasColors: () => true,
		getErrHasColors: () => true,
		outputError: (text, write) => {
			write(`${io.stderr.style("red", "hookline:")} ${text.replace(/^error: /, "")}`);
		}
	}).showHelpAfterError("Add --help for what it takes.").exitOverride();
	addLogin(program, bind);
	addDoctor(program, bind);
	addApps(program, bind);
	addContent(program, bind);
	addReview(program, bind);
	addSchedule(program, bind);
	addWhy(program, bind);
	addEvents(program, bind);
	addOpen(program, bind);
	addApi(program, bind);
	addMcp(program, bind);
	addCompletion(program, bind);
	program.addHelpText("after", `
The key comes from HOOKLINE_API_KEY, a profile of "hookline login", or the product of "npm start" on this machine.

Exit codes:
${exitCodeRows.map(([code, meaning]) => `  ${String(code).padEnd(4)} ${meaning}`).join("\n")}`);
	return program;
}
// packages/cli/src/main.ts
init_failure();
const interruption = new AbortController();
const io = processIo(process.env, interruption.signal);
const graceMs = 1e3;
function onSignal() {
	if (interruption.signal.aborted) process.exit(exitCodes.interrupted);
	process.exitCode = exitCodes.interrupted;
	interruption.abort();
	setTimeout(() => process.exit(exitCodes.interrupted), graceMs).unref();
}
process.on("SIGINT", onSignal);
process.on("SIGTERM", onSignal);
process.stdout.on("error", (error) => {
	if (error.code === "EPIPE") process.exit(exitCodes.ok);
	throw error;
});
async function main() {
	const program = createProgram(io);
	try {
		await program.parseAsync(process.argv);
	} catch (error) {
		if (error instanceof CommanderError) {
			process.exitCode = error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
			return;
		}
		if (interruption.signal.aborted) return;
		const failure = toFailure(error);
		process.exitCode = failure.exitCode;
		if (failure.exitCode === exitCodes.interrupted) return;
		createOutput(io, program.opts()).failure(failure);
		if (io.env.HOOKLINE_DEBUG) io.stderr.write(`${error.stack}\n`);
	}
}
await main();
export {};
