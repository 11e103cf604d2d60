using System.Collections.Concurrent;
using System.Data.Common;
using Npgsql;

namespace Polyjuice.Storage.PostgreSql;

// Standbys: a commit that waits for a standby is not taken back when that wait is given up. The server answers "done"
// then, and shows the row to everybody, although a failover would lose it. All that tells is a warning.
internal sealed partial class PostgreSqlLogDevice
{
    // Folders of segments and objects of which a write has failed since a length there was last settled.
    private readonly ConcurrentDictionary<string, bool> _doubts = new(StringComparer.Ordinal);

    /// <summary>Runs a statement that writes, which is done when standbys have it that are asked for.</summary>
    /// <param name="what">As in messages.</param>
    /// <param name="name">The segment or object.</param>
    /// <param name="sql">The statement.</param>
    /// <param name="read">Reads its one row; it has none if the segment is not there.</param>
    /// <param name="cancellationToken">Gives up; the effect is then unknown.</param>
    /// <param name="parameters">The statement's.</param>
    private Task<T> CommitAsync<T>(
        string what, string name, string sql, Func<NpgsqlDataReader, T> read, CancellationToken cancellationToken,
        params DbParameter[] parameters) => RunAsync(
        what, name,
        async () =>
        {
            PostgresNotice? warning = null;
            await using var connection = await _source.OpenConnectionAsync(cancellationToken).ConfigureAwait(false);
            connection.Notice += (_, said) => warning = WarningOf(said.Notice) ?? warning;
            await using var command = Command(sql, connection, parameters);
            await using var answer = await command.ExecuteReaderAsync(cancellationToken).ConfigureAwait(false);
            if (!await answer.ReadAsync(cancellationToken).ConfigureAwait(false)) throw NotThere(name);
            var result = read(answer);

            // A row comes before the transaction is committed; what comes last says that it is.
            while (await answer.NextResultAsync(cancellationToken).ConfigureAwait(false))
            {
            }

            return warning is null ? result : throw _errors.NotReplicated(warning, what, name);
        },
        cancellationToken);

    // No ConfigureAwait(false): an object's content comes where the caller is.
    private async Task<T> DoubtUnlessDoneAsync<T>(string name, Func<Task<T>> write)
    {
        try
        {
            return await write();
        }
        catch
        {
            _doubts[FolderOf(name)] = true;
            throw;
        }
    }

    // Not by its text, which may be in any language. Nothing else that is written here gives reason for a warning.
    private static PostgresNotice? WarningOf(PostgresNotice said) => said.InvariantSeverity == "WARNING" ? said : null;

    private bool IsInDoubt(string name) => !_doubts.IsEmpty && _doubts.ContainsKey(FolderOf(name));

    /// <summary>The length of a segment, once standbys have what it counts: that was not answered before.</summary>
    private async Task<long> SettleAsync(string name, CancellationToken cancellationToken)
    {
        var length = await CommitAsync(
            "look at", name, _settle, answer => answer.GetInt64(0), cancellationToken, Text(_prefix + name))
            .ConfigureAwait(false);
        _doubts.TryRemove(FolderOf(name), out _);
        return length;
    }

    private static string FolderOf(string name) => name[..(name.LastIndexOf('/') + 1)];
}
