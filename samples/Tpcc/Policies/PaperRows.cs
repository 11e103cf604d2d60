using Polyjuice.Policies;
using Polyjuice.Policies.Artifact;
using Tpcc.Grains;

namespace Tpcc.Policies;

/// <summary>
/// How the 26 rows of the Polyjuice paper's tables (NewOrder 11, Payment 7, Delivery 8) map onto these grains' access
/// sites. The two read-only transactions have no rows there either: they are snapshots.
/// </summary>
public static class PaperRows
{
    private const string NewOrder = $"{nameof(IDistrictGrain)}.{nameof(IDistrictGrain.NewOrder)}";
    private const string Payment = $"{nameof(IWarehouseGrain)}.{nameof(IWarehouseGrain.Payment)}";
    private const string Delivery = $"{nameof(IWarehouseGrain)}.{nameof(IWarehouseGrain.Delivery)}";
    private const string DeliverOldest = $">{nameof(IDistrictGrain)}.{nameof(IDistrictGrain.DeliverOldest)}";

    /// <summary>The mapping.</summary>
    internal static FoldedCatalogue Catalogue { get; } = new(
        "tpcc",
        new FoldedType("NewOrder", NewOrder,
        [
            Read(NewOrder, ">IWarehouseGrain.GetTax", "WarehouseGrain.warehouse", isLoop: false, 1),
            Update(NewOrder, "", "DistrictGrain.district", isLoop: false, 2, 3),
            Read(NewOrder, ">IItemPageGrain.Get", "ItemPageGrain.items", isLoop: true, 4),
            Update(NewOrder, ">IStockGrain.Take", "StockGrain.stock", isLoop: true, 5, 6),
            Update(NewOrder, ">IOrderGrain.Insert", "OrderGrain.order", isLoop: false, 7, 8, 10),
            Update(NewOrder, ">ICustomerGrain.PlaceOrder", "CustomerGrain.lastOrder", isLoop: false, 9),
            Read(NewOrder, ">ICustomerGrain.PlaceOrder", "CustomerGrain.customer", isLoop: false, 11),
        ]),
        new FoldedType("Payment", Payment,
        [
            Update(Payment, "", "WarehouseGrain.warehouse", isLoop: false, 1, 2),
            Update(Payment, ">IDistrictGrain.Pay", "DistrictGrain.district", isLoop: false, 3, 4),
            Read(Payment, ">ICustomerNamesGrain.FindMiddle", "CustomerNamesGrain.names", isLoop: false, 5),
            Update(Payment, ">ICustomerGrain.Pay", "CustomerGrain.customer", isLoop: false, 5, 6),
            Update(Payment, ">IHistoryPageGrain.Add", "HistoryPageGrain.page", isLoop: false, 7),
        ]),
        new FoldedType("Delivery", Delivery,
        [
            Update(Delivery, DeliverOldest, "DistrictGrain.delivery", isLoop: true, 1, 2),
            Update(Delivery, $"{DeliverOldest}>IOrderGrain.Deliver", "OrderGrain.order", isLoop: true, 3, 4, 5, 6),
            Update(Delivery, $"{DeliverOldest}>ICustomerGrain.Credit", "CustomerGrain.customer", isLoop: true, 7, 8),
        ]));

    private static FoldedSite Read(string type, string path, string state, bool isLoop, params int[] rows) =>
        Site(type, path, state, AccessKind.Read, isLoop, rows);

    private static FoldedSite Update(string type, string path, string state, bool isLoop, params int[] rows) =>
        Site(type, path, state, AccessKind.Update, isLoop, rows);

    private static FoldedSite Site(string type, string path, string state, AccessKind kind, bool isLoop, int[] rows) =>
        new(new CatalogueSite(new SiteKey(type, type + path, state, kind).Name, state, kind, isLoop), rows);
}
