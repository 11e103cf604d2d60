using System.Collections.Concurrent;
using Orleans.Messaging;
using Orleans.Runtime;

namespace Polyjuice.Orleans.Conformance.Clusters;

/// <summary>
/// A membership table in this process that outlives every silo of its cluster, as the one does that the kit's own
/// recovery tests use (in cloud storage). The test cluster's default keeps the table in its first silo: when that one
/// dies, the others can never change membership again. Thread-safe.
/// </summary>
internal sealed class SharedMembership : IMembershipTable, IGatewayListProvider
{
    private static readonly ConcurrentDictionary<string, SharedMembership> s_tables = new();

    private readonly Lock _gate = new();
    private readonly Dictionary<SiloAddress, (MembershipEntry Entry, string Tag)> _rows = [];
    private TableVersion _version = new(0, "0");
    private long _lastTag;

    /// <summary>The table of a cluster.</summary>
    public static SharedMembership Of(string cluster) => s_tables.GetOrAdd(cluster, static _ => new());

    public TimeSpan MaxStaleness => TimeSpan.FromMilliseconds(200);

    public bool IsUpdatable => true;

    public Task InitializeMembershipTable(bool tryInitTableVersion) => Task.CompletedTask;

    public Task InitializeGatewayListProvider() => Task.CompletedTask;

    public Task DeleteMembershipTableEntries(string clusterId)
    {
        s_tables.TryRemove(clusterId, out _);
        return Task.CompletedTask;
    }

    public Task CleanupDefunctSiloEntries(DateTimeOffset beforeDate) => Task.CompletedTask;

    public Task<MembershipTableData> ReadRow(SiloAddress key)
    {
        lock (_gate)
            return Task.FromResult(_rows.TryGetValue(key, out var row)
                ? new(Tuple.Create(Copy(row.Entry), row.Tag), _version)
                : new MembershipTableData(_version));
    }

    public Task<MembershipTableData> ReadAll()
    {
        lock (_gate)
            return Task.FromResult(
                new MembershipTableData(
                    [.. _rows.Values.Select(row => Tuple.Create(Copy(row.Entry), row.Tag))], _version));
    }

    public Task<bool> InsertRow(MembershipEntry entry, TableVersion tableVersion)
    {
        lock (_gate) return Task.FromResult(!_rows.ContainsKey(entry.SiloAddress) && Write(entry, tableVersion));
    }

    public Task<bool> UpdateRow(MembershipEntry entry, string etag, TableVersion tableVersion)
    {
        lock (_gate)
            return Task.FromResult(
                _rows.TryGetValue(entry.SiloAddress, out var row) && row.Tag == etag && Write(entry, tableVersion));
    }

    public Task UpdateIAmAlive(MembershipEntry entry)
    {
        lock (_gate)
        {
            if (_rows.TryGetValue(entry.SiloAddress, out var row)) row.Entry.IAmAliveTime = entry.IAmAliveTime;
        }

        return Task.CompletedTask;
    }

    public Task<IList<Uri>> GetGateways()
    {
        lock (_gate)
        {
            return Task.FromResult<IList<Uri>>([
                .. _rows.Values.Where(row => row.Entry is { Status: SiloStatus.Active, ProxyPort: not 0 })
                    .Select(
                        row => SiloAddress.New(
                            row.Entry.SiloAddress.Endpoint.Address, row.Entry.ProxyPort,
                            row.Entry.SiloAddress.Generation).ToGatewayUri())]);
        }
    }

    private bool Write(MembershipEntry entry, TableVersion version)
    {
        if (version.VersionEtag != _version.VersionEtag) return false;
        _rows[entry.SiloAddress] = (Copy(entry), Tag());
        _version = new(version.Version, Tag());
        return true;
    }

    private string Tag() => $"{++_lastTag}";

    private static MembershipEntry Copy(MembershipEntry entry) => new()
    {
        SiloAddress = entry.SiloAddress,
        Status = entry.Status,
        SuspectTimes = entry.SuspectTimes is { } times ? [.. times] : null,
        ProxyPort = entry.ProxyPort,
        HostName = entry.HostName,
        SiloName = entry.SiloName,
        RoleName = entry.RoleName,
        UpdateZone = entry.UpdateZone,
        FaultZone = entry.FaultZone,
        StartTime = entry.StartTime,
        IAmAliveTime = entry.IAmAliveTime,
    };
}
