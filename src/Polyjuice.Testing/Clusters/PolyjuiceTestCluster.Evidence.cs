using System.Globalization;
using Polyjuice.Tracing;

namespace Polyjuice.Testing;

public sealed partial class PolyjuiceTestCluster
{
    private readonly ClusterEvidence _evidence;
    private ITraceSink? _traceSink;

    /// <summary>
    /// Where evidence of this cluster's run is kept, within <see cref="PolyjuiceTestClusterOptions.EvidenceFolder"/>.
    /// Made when it is first asked for. Whoever has something to keep beside what the cluster keeps writes it here.
    /// </summary>
    public string EvidenceFolder => _evidence.Folder;

    /// <summary>
    /// The last warnings and errors that silos and client have logged, a line or more each, the oldest first.
    /// </summary>
    public IReadOnlyList<string> Warnings => _diary.Lines;

    /// <summary>
    /// Keeps what is known of a run that has failed: <c>why.txt</c>, <c>faults.txt</c> (the seed, the plan, what
    /// happened), <c>silos.log</c> (the last warnings), <c>history.jsonl</c> if one is recorded, and <c>logs/</c> if they
    /// are files.
    /// </summary>
    /// <param name="why">What has failed.</param>
    /// <returns>The folder.</returns>
    public async Task<string> KeepEvidenceAsync(string why)
    {
        await _evidence.WriteAsync("why.txt", why).ConfigureAwait(false);
        await _evidence.WriteAsync("faults.txt", FaultReport()).ConfigureAwait(false);
        await _evidence.WriteAsync("silos.log", string.Join(Environment.NewLine, _diary.Lines)).ConfigureAwait(false);
        if (_history is { } history) history.Save(Path.Combine(EvidenceFolder, "history.jsonl"));
        if (_traceSink is MemoryTraceSink traces)
        {
            foreach (var (name, bytes) in traces.Files) await _evidence.WriteAsync(Path.Combine("traces", name), bytes)
                .ConfigureAwait(false);
        }

        if (_options.DataFolder is { } logs) await _evidence.CopyAsync(logs, "logs").ConfigureAwait(false);
        return EvidenceFolder;
    }

    /// <summary>Runs something on the cluster. If it fails, its evidence is kept, and the failure says where.</summary>
    /// <param name="run">What to run.</param>
    /// <exception cref="ClusterRunException">It has failed.</exception>
    public async Task KeepOnFailureAsync(Func<Task> run)
    {
        ArgumentNullException.ThrowIfNull(run);
        try
        {
            await run().ConfigureAwait(false);
        }
        catch (Exception exception) when (exception is not OperationCanceledException)
        {
            var folder = await KeepEvidenceAsync(exception.ToString()).ConfigureAwait(false);
            throw new ClusterRunException(
                $"{exception.Message}{Environment.NewLine}Logs, faults and warnings are kept in "
                + $"{folder}.{Environment.NewLine}{FaultReport()}",
                folder, exception);
        }
    }

    private string FaultReport() => string.Create(
        CultureInfo.InvariantCulture,
        $"""
        {FaultLedger}
        batches: {Network.Batches.Counts}
        logs: {string.Join(", ", Silos.Select(silo => $"{silo.Name} {silo.Log.Counts}"))}
        """);
}
