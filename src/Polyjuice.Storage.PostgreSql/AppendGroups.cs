using static Polyjuice.Storage.PostgreSql.PostgreSqlRequests;

namespace Polyjuice.Storage.PostgreSql;

/// <summary>
/// Appends to a silo's segments that come while others are under way go to the server together: one trip and one commit
/// for all partitions, in place of one for each. Each is made or not by itself. Thread-safe.
/// </summary>
internal sealed class AppendGroups(PostgreSqlRequests requests, PostgreSqlStatements statements, string prefix)
{
    /// <summary>
    /// Groups under way at once: one is sent while another waits for the server's disk or a standby.
    /// </summary>
    private const int UnderWayMax = 2;

    private const int AppendsMax = 64;

    private readonly Lock _gate = new();
    private readonly Queue<PendingAppend> _waiting = new();
    private int _underWay;

    /// <summary>Appends, as <see cref="ILogDevice.AppendAsync"/>.</summary>
    public async Task<DeviceAppendResult> AppendAsync(
        string segment, long offset, ReadOnlyMemory<byte> bytes, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        var append = new PendingAppend(segment, offset, bytes);
        lock (_gate)
        {
            _waiting.Enqueue(append);
            if (_underWay < UnderWayMax)
            {
                _underWay++;

                // It goes on for the appends of others.
                using (ExecutionContext.SuppressFlow()) _ = Task.Run(SendAllAsync, CancellationToken.None);
            }
        }

        // What is under way is waited for, because it uses the caller's bytes.
        await using (cancellationToken.Register(() => GiveUp(append, cancellationToken)))
            return await append.Result.Task.ConfigureAwait(false);
    }

    private void GiveUp(PendingAppend append, CancellationToken cancellationToken)
    {
        AppendGroup? group;
        lock (_gate)
        {
            group = append.Group;
            append.IsGivenUp = true;
        }

        if (group is null) append.Result.TrySetCanceled(cancellationToken);
        else group.GiveUpOne();
    }

    private async Task SendAllAsync()
    {
        while (Take() is { } group)
        {
            using (group)
            {
                try
                {
                    await (group.Appends.Count == 1 ? SendAsync(group, group.Appends[0]) : SendAsync(group))
                        .ConfigureAwait(false);
                }
                catch (Exception exception)
                {
                    // Each is unknown, and who asked looks for it.
                    foreach (var append in group.Appends) append.Result.TrySetException(exception);
                }
            }
        }
    }

    private AppendGroup? Take()
    {
        lock (_gate)
        {
            var (group, bytes) = (new AppendGroup(), 0L);
            while (group.Appends.Count < AppendsMax && _waiting.TryPeek(out var next)
                && (bytes == 0 || bytes + next.Bytes.Length <= PostgreSqlLogDevice.AppendBytes))
            {
                _waiting.Dequeue();
                if (next.IsGivenUp) continue;
                bytes += next.Bytes.Length;
                group.Add(next);
            }

            if (group.Appends.Count > 0) return group;
            group.Dispose();
            _underWay--;
            return null;
        }
    }

    private async Task SendAsync(AppendGroup group, PendingAppend append) =>
        append.Result.TrySetResult(await requests.CommitAsync(
            "append to", append.Segment, statements.Append,
            answer => !answer.GetBoolean(0) ? throw requests.NotThere(append.Segment)
                : answer.GetBoolean(1) ? DeviceAppendResult.Appended : DeviceAppendResult.Conflict,
            group.GivenUp, Text(prefix + append.Segment), Value(append.Offset), Value(append.Bytes))
            .ConfigureAwait(false));

    private async Task SendAsync(AppendGroup group)
    {
        var appends = group.Appends;
        var (areThere, areAdded) = await requests.CommitAsync(
            "append to", string.Join(", ", appends.Select(static append => append.Segment)), statements.AppendAll,
            static answer => (answer.GetFieldValue<bool[]>(0), answer.GetFieldValue<bool[]>(1)),
            group.GivenUp,
            Value(appends.Select(append => prefix + append.Segment).ToArray()),
            Value(appends.Select(static append => append.Offset).ToArray()),
            Value(appends.Select(static append => append.Bytes).ToArray())).ConfigureAwait(false);
        for (var i = 0; i < appends.Count; i++)
        {
            var append = appends[i];
            if (!areThere[i]) append.Result.TrySetException(requests.NotThere(append.Segment));
            else append.Result.TrySetResult(areAdded[i] ? DeviceAppendResult.Appended : DeviceAppendResult.Conflict);
        }
    }
}
