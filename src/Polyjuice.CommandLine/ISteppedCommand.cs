using System.CommandLine;

namespace Polyjuice.CommandLine;

/// <summary>
/// A command of several steps, each of which Ctrl-C ends: it hears of that by a <see cref="UserInterrupt"/> of its own,
/// and what comes then takes as long as it takes.
/// </summary>
internal interface ISteppedCommand;

/// <summary>Such a command of a tool.</summary>
/// <param name="name">Its name.</param>
/// <param name="description">What it does.</param>
internal sealed class SteppedCommand(string name, string description) : Command(name, description), ISteppedCommand;

/// <summary>A program that is such a command.</summary>
/// <param name="description">What it does.</param>
internal sealed class SteppedRootCommand(string description) : RootCommand(description), ISteppedCommand;
