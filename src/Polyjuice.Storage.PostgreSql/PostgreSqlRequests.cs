using System.Data.Common;
using Npgsql;

namespace Polyjuice.Storage.PostgreSql;

/// <summary>Runs a device's statements on its database. Thread-safe.</summary>
/// <param name="source">The database.</param>
/// <param name="timeout">How long a statement may take.</param>
/// <param name="errors">Turns what fails into what to do.</param>
internal sealed class PostgreSqlRequests(NpgsqlDataSource source, TimeSpan timeout, PostgreSqlErrors errors)
{
    /// <summary>A parameter that is a text.</summary>
    public static NpgsqlParameter<string> Text(string value) => new() { TypedValue = value };

    /// <summary>A parameter.</summary>
    public static NpgsqlParameter<T> Value<T>(T value) => new() { TypedValue = value };

    /// <summary>A statement on a connection of its own.</summary>
    public NpgsqlCommand Command(string sql, params DbParameter[] parameters) =>
        With(source.CreateCommand(sql), parameters);

    /// <summary>A statement on a connection.</summary>
    public NpgsqlCommand Command(string sql, NpgsqlConnection connection, params DbParameter[] parameters) =>
        With(new NpgsqlCommand(sql, connection), parameters);

    /// <summary>A connection.</summary>
    public ValueTask<NpgsqlConnection> ConnectAsync(CancellationToken cancellationToken) =>
        source.OpenConnectionAsync(cancellationToken);

    /// <summary>Runs a statement.</summary>
    /// <returns>How many rows it has changed.</returns>
    public Task<int> ExecuteAsync(
        string what, string name, string sql, CancellationToken cancellationToken,
        params DbParameter[] parameters) => RunAsync(
        what, name,
        async () =>
        {
            await using var command = Command(sql, parameters);
            return await command.ExecuteNonQueryAsync(cancellationToken).ConfigureAwait(false);
        },
        cancellationToken);

    /// <summary>Runs a statement that answers with one value, or none.</summary>
    public Task<object?> ScalarAsync(
        string what, string name, string sql, CancellationToken cancellationToken,
        params DbParameter[] parameters) => RunAsync(
        what, name,
        async () =>
        {
            await using var command = Command(sql, parameters);
            return await command.ExecuteScalarAsync(cancellationToken).ConfigureAwait(false);
        },
        cancellationToken);

    /// <summary>Runs a statement that writes, which is done when standbys have it that are asked for.</summary>
    /// <param name="what">As in messages.</param>
    /// <param name="name">The segment or object.</param>
    /// <param name="sql">The statement.</param>
    /// <param name="read">Reads its one row; it has none if the segment is not there.</param>
    /// <param name="cancellationToken">Gives up; the effect is then unknown.</param>
    /// <param name="parameters">The statement's.</param>
    public Task<T> CommitAsync<T>(
        string what, string name, string sql, Func<NpgsqlDataReader, T> read, CancellationToken cancellationToken,
        params DbParameter[] parameters) => RunAsync(
        what, name,
        async () =>
        {
            await using var connection = await ConnectAsync(cancellationToken).ConfigureAwait(false);
            var standbys = new StandbyWarning(connection);
            await using var command = Command(sql, connection, parameters);
            await using var answer = await command.ExecuteReaderAsync(cancellationToken).ConfigureAwait(false);
            if (!await answer.ReadAsync(cancellationToken).ConfigureAwait(false)) throw NotThere(name);
            var result = read(answer);

            // A row comes before the transaction is committed; what comes last says that it is.
            while (await answer.NextResultAsync(cancellationToken).ConfigureAwait(false))
            {
            }

            standbys.Require(errors, what, name);
            return result;
        },
        cancellationToken);

    /// <summary>Runs what asks the server, outside of the caller's transaction.</summary>
    /// <param name="what">As in messages.</param>
    /// <param name="name">The segment or object; empty for all.</param>
    /// <param name="call">What asks.</param>
    /// <param name="cancellationToken">Gives up; the effect is then unknown.</param>
    public async Task<T> RunAsync<T>(string what, string name, Func<Task<T>> call, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        try
        {
            using var none = AmbientTransaction.Leave();
            return await call().ConfigureAwait(false);
        }
        catch (Exception exception) when (PostgreSqlErrors.IsOfServer(exception))
        {
            // The client may report what the caller gave up as the server's answer to that.
            cancellationToken.ThrowIfCancellationRequested();
            throw errors.Explain(exception, what, name);
        }
    }

    /// <summary>What to throw for a segment or object that is not there.</summary>
    public FileNotFoundException NotThere(string name) => new($"{errors.Location}/{name} is not there.", name);

    private NpgsqlCommand With(NpgsqlCommand command, DbParameter[] parameters)
    {
        command.CommandTimeout = (int)Math.Ceiling(timeout.TotalSeconds);
        foreach (var parameter in parameters) command.Parameters.Add(parameter);
        return command;
    }
}
