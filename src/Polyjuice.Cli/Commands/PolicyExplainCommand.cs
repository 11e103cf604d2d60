using System.CommandLine;
using Polyjuice.Cli.Explaining;
using Polyjuice.Cli.Pages;
using Polyjuice.Policies;
using Polyjuice.Training.Traces;
using static Polyjuice.CommandLine.CommandOptions;

namespace Polyjuice.Cli.Commands;

/// <summary><c>polyjuice policy explain</c></summary>
internal static class PolicyExplainCommand
{
    private const string AgainstDefault = "ic3,occ";

    /// <summary>The command.</summary>
    public static Command Create()
    {
        var policy = PolicyArguments.Policy();
        var against = new Option<string?>("--against")
        {
            Description = "What it is compared with, separated by commas: built-in policies or files. "
                + $"Default: {AgainstDefault}, without the policy itself.",
            HelpName = "policies",
        };
        var workload = PolicyArguments.Workload("The workload over which to spell out a policy without a catalogue");
        var page = new Option<string?>("--html")
        {
            Description = "Writes a page to this file: the sentences, the table against each of the others, "
                + "and what its cells are worth.",
            HelpName = "file",
        };
        var replays = Text("--replays", "5", "With how many seeds each table is replayed.");
        var threads = Text("--threads", "2", "Replays at a time.");
        var replay = new RecordedTraceOptions(isRequired: false);
        var command = new Command(
            "explain",
            "Says in sentences what a policy does, where others do something else, and which conflicts it expects. "
            + "With --trace also which of its cells are worth what: "
            + "replays it with groups of cells taken from the best of the others, and the other way round. "
            + "Ctrl-C ends that, and what is known by then is shown.")
        {
            policy, against, workload, page,
        };
        Option[] always = [against, workload, page, replay.Trace];
        replay.AddTo(command);
        foreach (Option option in (Option[])[replays, threads]) command.Add(option);
        command.SetAction((parsed, cancellationToken) => EndedEarly.AnsweredAsync(async () =>
        {
            if (parsed.GetValue(page) is { } path) CommandInput.OutputFile(path, ".html", page.Name);
            var files = replay.FilesOf(parsed);
            var idle = command.Options.FirstOrDefault(
                option => !always.Contains(option) && parsed.GetResult(option) is { Implicit: false });
            if (files.Count == 0 && idle is not null)
            {
                throw new CommandInputException(
                    $"{idle.Name} is for {replay.Trace.Name}: without a trace nothing is replayed.");
            }

            var named = parsed.GetRequiredValue(policy);
            var table = PolicyArguments.Load(named, parsed.GetValue(workload));
            var others = Others(parsed.GetValue(against), table, against.Name);
            var explainer = new Explainer(named, table, others, parsed.InvocationConfiguration.Output)
            {
                Seed = replay.SeedOf(parsed),
                Replays = parsed.Whole(replays, 2, 1_000),
                Threads = parsed.Whole(threads, 1, 256),
            };
            var settings = replay.SettingsOf(parsed);
            var explained = files.Count == 0
                ? explainer.Explain()
                : explainer.Explain(
                    TraceFile.Read(files, cancellationToken).Trace, settings, TrainingInput.SourceOf(files),
                    cancellationToken);
            if (parsed.GetValue(page) is { } html)
            {
                await File.WriteAllTextAsync(html, ExplanationPage.Write(explained), CancellationToken.None);
                parsed.InvocationConfiguration.Output.WriteLine($"\nwritten: {html}");
            }

            return explained.WasEnded ? ExitCodes.Cancelled : ExitCodes.Done;
        }, parsed.InvocationConfiguration.Error, cancellationToken));
        return command;
    }

    /// <summary>A policy is not compared with itself unless somebody asks for it.</summary>
    private static IReadOnlyList<PolicyDocument> Others(string? named, PolicyDocument table, string option) =>
    [
        .. CommandInput.Policies(named ?? AgainstDefault, option).Cast<DocumentPolicy>().Select(other => other.Document)
            .Where(other => named is not null || other.Name != table.Name),
    ];
}
