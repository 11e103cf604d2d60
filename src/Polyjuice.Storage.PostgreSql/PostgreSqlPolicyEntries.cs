using System.Globalization;
using Npgsql;
using Orleans.Configuration;
using Polyjuice.Policies.Publishing;

namespace Polyjuice.Storage.PostgreSql;

/// <summary>
/// Keeps published policies in a PostgreSQL database, in the tables that logs use. Of several publishers the server
/// lets
/// one make an entry. Thread-safe. The data source is the caller's, with its bounds on connections, and is not
/// disposed.
/// The tables are created at the first use; who only follows needs the right to <c>SELECT</c>, once they are there.
/// </summary>
/// <param name="source">The database.</param>
/// <param name="schema">The schema that the tables are in; as <see cref="PostgreSqlLogOptions.Schema"/>.</param>
/// <param name="prefix">Tells several places in one schema apart; as
/// <see cref="PostgreSqlLogOptions.KeyPrefix"/>.</param>
public sealed class PostgreSqlPolicyEntries(NpgsqlDataSource source, string schema = "polyjuice", string prefix = "")
    : IPolicyEntries
{
    private const string Suffix = ".json";
    private readonly PostgreSqlLogDevice _device = new(
        source ?? throw new ArgumentNullException(nameof(source)),
        new PostgreSqlDeviceSettings
        {
            Schema = PostgreSqlNames.CheckSchema(schema),
            Kind = PostgreSqlDeviceSettings.Policies,
            Prefix = PostgreSqlNames.CheckPrefix(prefix),
        },
        ownsSource: false);

    private volatile bool _isPrepared;

    /// <inheritdoc/>
    public string Location => _device.Location;

    /// <inheritdoc/>
    public async ValueTask<int> GetLastAsync(CancellationToken cancellationToken)
    {
        await PrepareAsync(cancellationToken).ConfigureAwait(false);
        var last = 0;
        foreach (var entry in await _device.ListAsync("", cancellationToken).ConfigureAwait(false))
            last = Math.Max(last, NumberOf(entry.Name));
        return last;
    }

    /// <inheritdoc/>
    public async ValueTask<byte[]?> ReadAsync(int number, CancellationToken cancellationToken)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(number, 1);
        await PrepareAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            var length = await _device.GetLengthAsync(NameOf(number), cancellationToken).ConfigureAwait(false);
            if (length > IPolicyEntries.EntryBytesMax)
            {
                throw new InvalidDataException(
                    $"{Location}/{NameOf(number)} has {length} bytes; an entry has at most "
                    + $"{IPolicyEntries.EntryBytesMax}. Somebody else wrote it: move it away.");
            }

            var content = new byte[length];
            var read = await _device.ReadAsync(NameOf(number), 0, content, cancellationToken).ConfigureAwait(false);
            return read == length
                ? content
                : throw new IOException($"{Location}/{NameOf(number)} has {length} bytes, and {read} of them are there.");
        }
        catch (FileNotFoundException)
        {
            return null;
        }
    }

    /// <inheritdoc/>
    public async ValueTask<bool> CreateAsync(
        int number, ReadOnlyMemory<byte> content, CancellationToken cancellationToken)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(number, 1);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(content.Length, IPolicyEntries.EntryBytesMax);
        await PrepareAsync(cancellationToken).ConfigureAwait(false);
        return await _device.PutAsync(
            NameOf(number), Content(content), overwrite: false, cancellationToken).ConfigureAwait(false);
    }

    private static async IAsyncEnumerable<ReadOnlyMemory<byte>> Content(ReadOnlyMemory<byte> content)
    {
        yield return content;
        await ValueTask.CompletedTask.ConfigureAwait(false);
    }

    private static string NameOf(int number) => number.ToString("D8", CultureInfo.InvariantCulture) + Suffix;

    private static int NumberOf(string name) =>
        name.EndsWith(Suffix, StringComparison.Ordinal)
        && int.TryParse(name[..^Suffix.Length], NumberStyles.None, CultureInfo.InvariantCulture, out var number)
        && NameOf(number) == name
            ? number
            : 0;

    private async ValueTask PrepareAsync(CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        if (_isPrepared) return;
        await _device.Tables.PrepareAsync(
            create: true, mayBeStandby: true, logger: null, cancellationToken).ConfigureAwait(false);
        _isPrepared = true;
    }
}
