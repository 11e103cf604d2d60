using static Polyjuice.Storage.PostgreSql.PostgreSqlRequests;

namespace Polyjuice.Storage.PostgreSql;

/// <summary>Takes the lock of a device's logs, as a row that says until when it is held. Thread-safe.</summary>
/// <param name="requests">Runs statements.</param>
/// <param name="statements">What they say.</param>
/// <param name="settings">How long a lock lasts, and the clock of its renewals.</param>
/// <param name="name">What is locked.</param>
/// <param name="location">The device's, for messages.</param>
internal sealed class PostgreSqlLeases(
    PostgreSqlRequests requests, PostgreSqlStatements statements, PostgreSqlDeviceSettings settings, string name,
    string location)
{
    /// <summary>Takes the lock.</summary>
    /// <param name="holder">Who, for people.</param>
    /// <param name="taken">Called once it is taken.</param>
    /// <param name="left">Called once it is given back, or that has failed.</param>
    /// <param name="cancellationToken">Gives up.</param>
    /// <exception cref="LogDeviceLockedException">Somebody else has it.</exception>
    public async Task<ILogDeviceLock> TakeAsync(
        string holder, Action taken, Func<ValueTask> left, CancellationToken cancellationToken)
    {
        // Asking again with the same token answers as the first time.
        var token = Guid.NewGuid();
        var asked = settings.Time.GetTimestamp();
        var isTaken = await requests.ExecuteAsync(
            "lock", "", statements.TakeLease, cancellationToken, Text(name), Value(token), Text(holder),
            Value(settings.LeaseDuration)).ConfigureAwait(false) == 1;
        if (!isTaken)
        {
            var other = await requests.ScalarAsync("lock", "", statements.FindHolder, cancellationToken, Text(name))
                .ConfigureAwait(false) as string;
            throw LogDeviceLockedException.OfShared(
                location, other, "schema or key prefix", settings.LeaseDuration);
        }

        taken();
        return new RenewedLock(
            settings.LeaseDuration, asked, settings.Time,
            async cancel => await requests.ExecuteAsync(
                "lock", "", statements.RenewLease, cancel, Text(name), Value(token),
                Value(settings.LeaseDuration)).ConfigureAwait(false) == 1,
            async cancel =>
            {
                try
                {
                    await requests.ExecuteAsync("unlock", "", statements.EndLease, cancel, Text(name), Value(token))
                        .ConfigureAwait(false);
                }
                finally
                {
                    await left().ConfigureAwait(false);
                }
            });
    }
}
