namespace Polyjuice.Policies.Artifact;

/// <summary>
/// The workloads of the Polyjuice artifact (OSDI'21). Its policy files hold rows and columns without names; these
/// catalogues give them their names, in the order of the artifact's access ids.
/// </summary>
internal static class ArtifactWorkloads
{
    /// <summary>
    /// The transaction types in the order of the files' columns, each with its accesses in the order of the files'
    /// rows: the table, what is done to it (<c>r</c> read or scan, <c>u</c> update, insert or delete) and <c>*</c>
    /// where a transaction can do so repeatedly.
    /// </summary>
    private static readonly (string Workload, (string Type, string Accesses)[] Types)[] Definitions =
    [
        ("tpcc",
        [
            ("NewOrder",
                "Warehouse:r District:r District:u Item:r* Stock:r* Stock:u* NewOrder:u Order:u OrderIndex:u "
                + "OrderLine:u* Customer:r"),
            ("Payment", "Warehouse:r Warehouse:u District:r District:u Customer:r Customer:u History:u"),
            ("Delivery", "NewOrder:r* NewOrder:u* Order:r* Order:u* OrderLine:r* OrderLine:u* Customer:r* Customer:u*"),
        ]),
        ("tpce",
        [
            ("TradeOrder",
                "CustomerAccount:r Customer:r Broker:r AccountPermission:r CompanyByName:r SecurityByCompany:r "
                + "Security:r SecurityBySymbol:r Company:r TradeType:r HoldingSummary:r HoldingSummary:r "
                + "HoldingByAccount:r Holding:r* HoldingByAccount:r Holding:r* LastTrade:r LastTrade:r "
                + "CustomerTaxRate:r TaxRate:r* CommissionRate:r Charge:r Trade:u TradeByAccount:u TradeBySymbol:u "
                + "TradeRequest:u TradeRequestByBroker:u TradeRequestBySymbol:u TradeHistory:u CustomerAccount:r"),
            ("TradeResult",
                "Trade:r TradeType:r CustomerAccount:r HoldingSummary:r HoldingSummary:u HoldingSummary:u "
                + "HoldingSummary:u HoldingSummary:u HoldingByAccount:r Holding:r* HoldingByAccount:u* Holding:u* "
                + "Holding:u* HoldingByAccount:u* Holding:u* HoldingByAccount:u* Holding:u* Holding:u* "
                + "HoldingByAccount:u* Holding:u* HoldingByAccount:u Holding:u HoldingByAccount:r Holding:r* "
                + "HoldingByAccount:u* Holding:u* Holding:u* HoldingByAccount:u* Holding:u* HoldingByAccount:u* "
                + "Holding:u* Holding:u* HoldingByAccount:u* Holding:u* HoldingByAccount:u Holding:u HoldingHistory:u* "
                + "CustomerTaxRate:r TaxRate:r* Security:r Customer:r CommissionRate:r Trade:r Trade:u TradeHistory:u "
                + "Broker:r Broker:u Settlement:u CustomerAccount:r CustomerAccount:u CashTransaction:u"),
            ("MarketFeed",
                "LastTrade:r* LastTrade:u* TradeRequestBySymbol:r* TradeRequestBySymbol:r* TradeRequestBySymbol:r* "
                + "TradeRequest:r* TradeRequest:u* TradeRequestByBroker:u* TradeRequestBySymbol:u* Trade:r* Trade:u* "
                + "TradeHistory:u*"),
            ("TradeUpdate",
                "Trade:r* Trade:u* Trade:r* TradeHistory:r* TradeType:r* Settlement:r* CashTransaction:r* "
                + "TradeByAccount:r Trade:r* TradeHistory:r* Settlement:r* Settlement:u* Settlement:r* "
                + "CashTransaction:r* TradeBySymbol:r Trade:r* TradeType:r* Security:r TradeHistory:r* Settlement:r* "
                + "CashTransaction:r* CashTransaction:u* CashTransaction:r*"),
        ]),
        ("micro",
        [
            .. Enumerable.Range(1, 10)
            .Select(n => ($"Micro{n}", $"Hot:r Hot:u Cold:r* Cold:u* Shared:r* Shared:u* Own{n}:r Own{n}:u")),
        ]),
    ];

    /// <summary>The names of the workloads.</summary>
    public static IReadOnlyList<string> Names { get; } = [.. Definitions.Select(definition => definition.Workload)];

    /// <summary>A workload's catalogue.</summary>
    /// <exception cref="ArgumentException">There is no such workload; the message lists the valid names.</exception>
    public static SiteCatalogue Get(string workload)
    {
        var definition = Array.Find(Definitions, d => string.Equals(d.Workload, workload, StringComparison.Ordinal));
        return definition.Types is null
            ? throw new ArgumentException(
                $"There is no workload \"{workload}\". Valid: {string.Join(", ", Names)}.", nameof(workload))
            : new SiteCatalogue
            {
                Version = 1, Types = [.. definition.Types.Select(type => Describe(type.Type, type.Accesses))]
            };
    }

    private static CatalogueType Describe(string type, string accesses)
    {
        var sites = new List<CatalogueSite>();
        foreach (var access in accesses.Split(' '))
        {
            var colon = access.IndexOf(':', StringComparison.Ordinal);
            var (state, kind) = (access[..colon], access[colon + 1] == 'r' ? AccessKind.Read : AccessKind.Update);
            var name = new SiteKey(type, type, state, kind).Name;
            var same = sites.Count(site => site.State == state && site.Kind == kind);
            if (same > 0) name = new SiteKey(type, type, state, kind, $"{same + 1}").Name;
            sites.Add(new CatalogueSite(name, state, kind, access.EndsWith('*')));
        }

        return new CatalogueType { Name = type, Sites = sites };
    }
}
