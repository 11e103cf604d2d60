using Orleans;
using Orleans.Runtime;

namespace Polyjuice.Testing;

/// <summary>
/// The membership table as one silo reaches it. In this process it is an object, so without this a silo that has
/// crashed or stands still could go on to say that it lives, and that others are dead. What is left of a silo that has
/// crashed is told that its words have arrived, although they have not: it is being stopped, and Orleans would repeat a
/// word that fails for minutes. Thread-safe.
/// </summary>
internal sealed class GatedMembershipTable(IMembershipTable inner, NetworkNode own) : IMembershipTable
{
    /// <summary>The table itself.</summary>
    public IMembershipTable Inner => inner;

    /// <inheritdoc/>
    public Task InitializeMembershipTable(bool tryInitTableVersion) =>
        InitializeMembershipTableAsync(tryInitTableVersion, CancellationToken.None);

    /// <inheritdoc/>
    public async Task InitializeMembershipTableAsync(bool tryInitTableVersion, CancellationToken cancellationToken)
    {
        if (!await PassAsync(cancellationToken).ConfigureAwait(false)) return;
        await inner.InitializeMembershipTableAsync(tryInitTableVersion, cancellationToken).ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public Task DeleteMembershipTableEntries(string clusterId) =>
        DeleteMembershipTableEntriesAsync(clusterId, CancellationToken.None);

    /// <inheritdoc/>
    public async Task DeleteMembershipTableEntriesAsync(string clusterId, CancellationToken cancellationToken)
    {
        if (!await PassAsync(cancellationToken).ConfigureAwait(false)) return;
        await inner.DeleteMembershipTableEntriesAsync(clusterId, cancellationToken).ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public Task CleanupDefunctSiloEntries(DateTimeOffset beforeDate) =>
        CleanupDefunctSiloEntriesAsync(beforeDate, CancellationToken.None);

    /// <inheritdoc/>
    public async Task CleanupDefunctSiloEntriesAsync(DateTimeOffset beforeDate, CancellationToken cancellationToken)
    {
        if (!await PassAsync(cancellationToken).ConfigureAwait(false)) return;
        await inner.CleanupDefunctSiloEntriesAsync(beforeDate, cancellationToken).ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public Task<MembershipTableData> ReadRow(SiloAddress key) => ReadRowAsync(key, CancellationToken.None);

    /// <inheritdoc/>
    public async Task<MembershipTableData> ReadRowAsync(SiloAddress key, CancellationToken cancellationToken)
    {
        await PassAsync(cancellationToken).ConfigureAwait(false);
        return await inner.ReadRowAsync(key, cancellationToken).ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public Task<MembershipTableData> ReadAll() => ReadAllAsync(CancellationToken.None);

    /// <inheritdoc/>
    public async Task<MembershipTableData> ReadAllAsync(CancellationToken cancellationToken)
    {
        await PassAsync(cancellationToken).ConfigureAwait(false);
        return await inner.ReadAllAsync(cancellationToken).ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public Task<bool> InsertRow(MembershipEntry entry, TableVersion tableVersion) =>
        InsertRowAsync(entry, tableVersion, CancellationToken.None);

    /// <inheritdoc/>
    public async Task<bool> InsertRowAsync(
        MembershipEntry entry, TableVersion tableVersion, CancellationToken cancellationToken)
    {
        if (!await PassAsync(cancellationToken).ConfigureAwait(false)) return true;
        return await inner.InsertRowAsync(entry, tableVersion, cancellationToken).ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public Task<bool> UpdateRow(MembershipEntry entry, string etag, TableVersion tableVersion) =>
        UpdateRowAsync(entry, etag, tableVersion, CancellationToken.None);

    /// <inheritdoc/>
    public async Task<bool> UpdateRowAsync(
        MembershipEntry entry, string etag, TableVersion tableVersion, CancellationToken cancellationToken)
    {
        if (!await PassAsync(cancellationToken).ConfigureAwait(false)) return true;
        return await inner.UpdateRowAsync(entry, etag, tableVersion, cancellationToken).ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public Task UpdateIAmAlive(MembershipEntry entry) => UpdateIAmAliveAsync(entry, CancellationToken.None);

    /// <inheritdoc/>
    public async Task UpdateIAmAliveAsync(MembershipEntry entry, CancellationToken cancellationToken)
    {
        if (!await PassAsync(cancellationToken).ConfigureAwait(false)) return;
        await inner.UpdateIAmAliveAsync(entry, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Completes when the silo does not stand still.</summary>
    /// <returns>Whether what it says reaches the table.</returns>
    private async ValueTask<bool> PassAsync(CancellationToken cancellationToken)
    {
        await own.PassAsync().AsTask().WaitAsync(cancellationToken).ConfigureAwait(false);
        return !own.IsCut;
    }
}
